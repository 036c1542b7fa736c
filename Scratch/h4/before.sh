W=/work/h4; B=/work/base/debug; H=$W/.hc
/opt/swift/usr/bin/swiftc -module-name Probe -c -target x86_64-unknown-linux-gnu -swift-version 6 -O -I $B/Modules -DSWIFT_PACKAGE \
 -Xcc -fmodule-map-file=$W/Sources/CSQLite/module.modulemap -Xcc -fmodule-map-file=$W/Sources/CZlib/module.modulemap \
 -Xcc -fmodule-map-file=$B/CRuntime.build/module.modulemap -Xcc -I -Xcc $W/Sources/CRuntime/include -module-cache-path $H/ModuleCache $H/probe/main.swift -o $H/engine/bench.o
L=""
for n in CRuntime XMLReading VersionHashing OpenCocoaFoundation CocoaFoundation OpenCoreData CoreData; do L="$L $(find $B/$n.build -name '*.o' | tr '\n' ' ')"; done
echo "$L" | tr ' ' '\n' | grep . > $H/engine/blist
/opt/swift/usr/bin/swiftc -emit-executable -o $H/engine/bench-before @$H/engine/blist $H/engine/bench.o -lpq -lz -lsqlite3 -lstdc++ -lm -use-ld=lld -Xlinker -rpath=/opt/swift/usr/lib/swift/linux
