// swift-tools-version: 6.2
import PackageDescription

// The studio: stores, models, recordings and tests in a browser. A package of its own, so that nobody who depends on the
// framework, or builds ./run, fetches or compiles an HTTP server.

/// The traits of the framework (STUDIO_TRAITS=PostgreSQL): with that one, stores in a server are opened too.
let names = (Context.environment["STUDIO_TRAITS"] ?? "").split(separator: ",").map(String.init)
let traits = Set(names.map { Package.Dependency.Trait.init(stringLiteral: $0) })

/// What the framework's package offers besides its libraries (OPENCOREDATA_PRODUCTS=tune,Photos). `./studio` and .ci/run ask for
/// the programs of the test picker, which are built beside the studio and run as processes, and .ci/run for the tests' server.
/// Without them the studio is built as well, and says of each program that it is not there.
let offered = Set((Context.environment["OPENCOREDATA_PRODUCTS"] ?? "").split(separator: ",").map(String.init))
let programs = ["tune", "MultiThread", "ConcurrencyModels", "Photos", "Blobs", "UFOSightings", "Search"].filter(
  offered.contains)
let hasServers = traits.contains("PostgreSQL") && offered.contains("PostgreSQLTestServer")

let package = Package(
  name: "Studio",
  products: [.executable(name: "studio", targets: ["studio"])],
  dependencies: [
    .package(name: "OpenCoreData", path: "..", traits: traits),
    // The store over a web service. Its package reads STUDIO_TRAITS too, so that both ask for the same traits.
    .package(path: "../Examples/WebStore"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "StudioServer",
      dependencies: [
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "CoreDataTools", package: "OpenCoreData"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.copy("Resources")]),
    .executableTarget(
      name: "studio",
      dependencies: [
        "StudioServer",
        .product(name: "WebStore", package: "WebStore"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + programs.map { .product(name: $0, package: "OpenCoreData") }),
    .testTarget(
      name: "StudioServerTests",
      dependencies: [
        "StudioServer",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "WebStore", package: "WebStore"),
        .product(name: "WebServing", package: "WebStore"),
      ]
        + (hasServers
          ? [
            .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
            .product(name: "PostgreSQLTestServer", package: "OpenCoreData"),
          ] : []),
      swiftSettings: hasServers ? [.define("PostgreSQL")] : []),
  ],
  swiftLanguageModes: [.v6]
)
