// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that clients of the framework never build it. `run` builds it: what is measured is an example, too,
// which is a product of the framework's package where OPENCOREDATA_PRODUCTS names it alone.
// A trait is an option of every compilation: with those of another build its folder can be used
// (BENCHMARKS_TRAITS=SwiftLog Benchmarks/run --scratch-path .build).
let traits = Context.environment["BENCHMARKS_TRAITS"]?.split(separator: ",").map(String.init) ?? []
// What is measured over a server is built with its trait alone: nothing else needs libpq.
let hasServers = traits.contains("PostgreSQL")
let inServers = "PostgreSQL"

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
      name: "baseline", dependencies: hasServers ? ["LibPQ"] : [], path: "Baseline",
      exclude: hasServers ? ["LibPQ"] : ["LibPQ", inServers],
      cSettings: hasServers ? [.define("POSTGRESQL")] : [],
      linkerSettings: [.linkedLibrary("sqlite3"), .unsafeFlags(["-Xlinker", "--strip-debug"])]),
    .executableTarget(
      name: "workloads",
      dependencies: [
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "PerformanceTuning", package: "OpenCoreData"),
      ] + (hasServers ? [.product(name: "CoreDataPostgreSQL", package: "OpenCoreData")] : []),
      path: "Sources/Workloads",
      exclude: hasServers ? [] : [inServers],
      swiftSettings: hasServers ? [.define("POSTGRESQL")] : [],
      plugins: [.plugin(name: "CoreDataCodegen", package: "OpenCoreData")]),
    // The least that uses the framework: what a program takes in memory and on disk.
    .executableTarget(
      name: "minimal", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources/Minimal"),
    .executableTarget(
      name: "compare",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]
        + (hasServers ? [.product(name: "PostgreSQLTestServer", package: "OpenCoreData")] : []),
      path: "Sources/Compare",
      exclude: hasServers ? [] : [inServers],
      swiftSettings: hasServers ? [.define("POSTGRESQL")] : []),
  ] + (hasServers ? [.systemLibrary(name: "LibPQ", path: "Baseline/LibPQ", pkgConfig: "libpq")] : []),
  swiftLanguageModes: [.v6]
)
