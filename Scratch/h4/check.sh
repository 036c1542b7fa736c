W=/work/h4; B=/work/base/debug; H=$W/.hc
/opt/swift/usr/bin/swiftc -module-name Probe -typecheck -target x86_64-unknown-linux-gnu -swift-version 6 -package-name opencoredata -Onone -enable-testing -I $H/debug/Modules -DSWIFT_PACKAGE \
 -Xcc -fmodule-map-file=$W/Sources/CSQLite/module.modulemap -Xcc -fmodule-map-file=$W/Sources/CZlib/module.modulemap \
 -Xcc -fmodule-map-file=$B/CRuntime.build/module.modulemap -Xcc -I -Xcc $W/Sources/CRuntime/include -module-cache-path $H/ModuleCache $H/engine/main.swift
