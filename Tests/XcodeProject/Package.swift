// swift-tools-version: 6.2
import PackageDescription

// A client as it comes out of an Xcode project: `run` builds and runs it in debug and release.

let coreData: Target.Dependency = .product(name: "CoreData", package: "OpenCoreData")
let plugins: [Target.PluginUsage] = [
  .plugin(name: "CoreDataCodegen", package: "OpenCoreData"),
  .plugin(name: "CoreDataRewriter", package: "OpenCoreData"),
]

let package = Package(
  name: "XcodeProject",
  dependencies: [.package(name: "OpenCoreData", path: "../..")],
  targets: [
    // Each lists one file, and the plugin compiles copies of all others.
    .target(name: "Kit", dependencies: [coreData], path: "Kit", sources: ["Kit.swift"], plugins: plugins),
    .target(name: "Model", dependencies: [coreData, "Kit"], path: "Model", sources: ["Model.swift"], plugins: plugins),
    // In Swift 6 mode, and as it is.
    .executableTarget(
      name: "App", dependencies: [coreData, "Model", "Kit"], path: "App",
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ],
  swiftLanguageModes: [.v5]
)
