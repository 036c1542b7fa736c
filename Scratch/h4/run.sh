W=/work/h4; B=/work/base/debug; H=$W/.hc
/opt/swift/usr/bin/swiftc -module-name Probe -target x86_64-unknown-linux-gnu -swift-version 5 -package-name opencoredata -Onone -enable-testing -I $H/debug/Modules \
 -Xcc -fmodule-map-file=$B/CRuntime.build/module.modulemap -Xcc -I -Xcc $W/Sources/CRuntime/include -module-cache-path $H/ModuleCache \
 $H/mini/main.swift $H/mini/gen.swift $H/mini/CompilableFormats.swift $H/debug/OpenCocoaFoundation.build/*.o $(find $B/CRuntime.build $B/XMLReading.build -name "*.o") -o $H/mini/probe -use-ld=lld -Xlinker -rpath=/opt/swift/usr/lib/swift/linux 2>&1 | grep -v warning | grep error
