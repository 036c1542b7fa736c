cd /work/h2; TMPDIR=/work/h2/.hc/tmp timeout 200 .hc/tests --testing-library swift-testing --filter "$1" 2>&1 | grep -E "✘|Fatal|Test run|→" | cut -c1-1500
