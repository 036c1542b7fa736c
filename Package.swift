// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OpenCoreData",
  products: [
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(name: "CocoaFoundation", targets: ["CocoaFoundation"]),
    .plugin(name: "CoreDataCodegen", targets: ["CoreDataCodegen"]),
    .executable(name: "coredata", targets: ["coredata"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CRuntime"),
    .target(name: "CocoaFoundation"),
    .target(name: "OpenCoreData", dependencies: ["CSQLite", "CZlib", "CRuntime", "CocoaFoundation"]),
    .target(name: "CoreData", dependencies: ["OpenCoreData", "CocoaFoundation"]),
    .target(name: "ModelCompilerCore", path: "Sources/ModelCompiler/Core"),
    .executableTarget(
      name: "ModelCompiler", dependencies: ["ModelCompilerCore"], path: "Sources/ModelCompiler/Tool"),
    .plugin(name: "CoreDataCodegen", capability: .buildTool(), dependencies: ["ModelCompiler"]),
    .executableTarget(
      name: "coredata",
      dependencies: ["CoreData", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .testTarget(name: "CocoaFoundationTests", dependencies: ["CocoaFoundation"]),
    .testTarget(
      name: "OpenCoreDataTests", dependencies: ["OpenCoreData", "CoreData"], resources: [.copy("Fixtures")]),
    .testTarget(name: "ModelCompilerTests", dependencies: ["ModelCompilerCore"]),
  ],
  swiftLanguageModes: [.v6]
)
