// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that clients of the framework never build it. `./run` builds it: the modules must be compiled
// with counters of coverage, and linked to libFuzzer; and OPENCOREDATA_PRODUCTS makes a product of the models' compiler.
let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "OpenCoreData", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "ModelCompilerCore", package: "OpenCoreData"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
