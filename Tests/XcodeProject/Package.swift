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
  dependencies: [
    .package(name: "OpenCoreData", path: "../..", traits: ["SwiftLog"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.4"),
  ],
  targets: [
    // Each lists one file, and the plugin compiles copies of all others.
    .target(name: "Kit", dependencies: [coreData], path: "Kit", sources: ["Kit.swift"], plugins: plugins),
    .target(name: "Model", dependencies: [coreData, "Kit"], path: "Model", sources: ["Model.swift"], plugins: plugins),
    // Generated classes under the strictest settings, where a warning is an error; the model in a listed folder.
    .target(
      name: "Strict", dependencies: [coreData], path: "Strict", resources: [.copy("Resources")],
      swiftSettings: [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
      ], plugins: [.plugin(name: "CoreDataCodegen", package: "OpenCoreData")]),
    // The framework's log in swift-log.
    .target(
      name: "Logged",
      dependencies: [
        coreData, .product(name: "CoreDataLogging", package: "OpenCoreData"),
        .product(name: "Logging", package: "swift-log"), .product(name: "InMemoryLogging", package: "swift-log"),
      ], path: "Logged"),
    // In Swift 6 mode, and as it is.
    .executableTarget(
      name: "App", dependencies: [coreData, "Model", "Kit", "Strict", "Logged"], path: "App",
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ],
  swiftLanguageModes: [.v5]
)
