// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that clients of the framework never build it.
// A trait is an option of every compilation: with those of another build its folder can be used
// (BENCHMARKS_TRAITS=SwiftLog Benchmarks/run --scratch-path .build).
let traits = Context.environment["BENCHMARKS_TRAITS"]?.split(separator: ",").map(String.init) ?? []

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(
      name: "OpenCoreData", path: "..", traits: Set(traits.map { Package.Dependency.Trait.init(stringLiteral: $0) })),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // Linked without debug information, which valgrind cannot read in the form that clang writes: it would stop at the start.
    .executableTarget(
      name: "baseline", path: "Baseline",
      linkerSettings: [.linkedLibrary("sqlite3"), .unsafeFlags(["-Xlinker", "--strip-debug"])]),
    .executableTarget(
      name: "workloads",
      dependencies: [
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "PerformanceTuning", package: "OpenCoreData"),
      ],
      path: "Sources/Workloads",
      plugins: [.plugin(name: "CoreDataCodegen", package: "OpenCoreData")]),
    // The least that uses the framework: what a program takes in memory and on disk.
    .executableTarget(
      name: "minimal", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources/Minimal"),
    .executableTarget(
      name: "compare",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Sources/Compare"),
  ],
  swiftLanguageModes: [.v6]
)
