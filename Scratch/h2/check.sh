# typecheck Results' files only
W=/work/h2; B=/work/base; b=$B/debug
cd $W
A=()
for f in $(find Sources/OpenCoreData -name '*.swift' | sort); do
  case $f in
    */Results/*|*/Paging/*) A+=(-primary-file $W/$f);;
    *) A+=($W/$f);;
  esac
done
/opt/swift/usr/bin/swift-frontend -frontend -typecheck "${A[@]}" -module-name OpenCoreData -parse-as-library -target x86_64-unknown-linux-gnu -DSWIFT_PACKAGE -DDEBUG -enable-testing -Onone \
 -Xcc -fmodule-map-file=$W/Sources/CSQLite/module.modulemap -Xcc -fmodule-map-file=$W/Sources/CZlib/module.modulemap -Xcc -fmodule-map-file=$b/CRuntime.build/module.modulemap -Xcc -I -Xcc $W/Sources/CRuntime/include -Xcc -fmodule-map-file=$W/Sources/CPostgreSQL/module.modulemap -I/usr/include/postgresql \
 -module-cache-path $W/.hc/ModuleCache -swift-version 6 -DPostgreSQL -DSwiftLog -package-name opencoredata -I $W/.hc/debug/Modules 2>&1
