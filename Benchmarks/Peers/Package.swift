// swift-tools-version: 6.1
import PackageDescription

// The workloads in GRDB. A package of its own, which Benchmarks/run --peers alone builds.
let package = Package(
  name: "Peers",
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")],
  targets: [
    .executableTarget(name: "grdb-peer", dependencies: [.product(name: "GRDB", package: "GRDB.swift")])
  ],
  swiftLanguageModes: [.v6]
)
