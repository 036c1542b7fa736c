// swift-tools-version: 6.2
import PackageDescription

let coreData: Target.Dependency = .product(name: "CoreData", package: "OpenCoreData")

let package = Package(
  name: "Reading",
  dependencies: [.package(name: "OpenCoreData", path: "../OpenCoreData")],
  targets: [
    .target(name: "Model", dependencies: [coreData], plugins: [.plugin(name: "CoreDataCodegen", package: "OpenCoreData")]),
    .executableTarget(name: "Reading", dependencies: ["Model", coreData]),
  ])
