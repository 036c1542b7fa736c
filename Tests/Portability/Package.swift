// swift-tools-version: 6.2
import PackageDescription

// A program that says whether the framework works with a compiler and a processor, and writes stores whose bytes do not
// depend on either. `.ci/swift-6.2-debian` builds and runs it.
let package = Package(
  name: "Portability",
  dependencies: [.package(name: "OpenCoreData", path: "../..")],
  targets: [
    .executableTarget(
      name: "Portability",
      dependencies: [
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "StoreConformance", package: "OpenCoreData"),
      ], path: "Sources", swiftSettings: [.treatAllWarnings(as: .error)],
      plugins: [.plugin(name: "CoreDataCodegen", package: "OpenCoreData")])
  ],
  swiftLanguageModes: [.v6]
)
