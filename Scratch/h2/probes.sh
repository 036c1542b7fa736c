cd /work/h2
P="$1"
for n in 10000 100000 1000000; do $P $n 0 0 none 1; done
for n in 10000 100000 1000000; do $P $n 0 0 objects 1; done
for n in 10000 100000 1000000; do $P $n 0 50 none 1; done
for s in 10 1000 100000; do $P 1000000 $s 0 sections 1; done
for s in 10 1000 100000; do $P 1000000 $s 50 sections 1; done
$P 100000 0 0 none 10
for n in 10000 1000000; do $P $n 0 0 snapshot 1; done
