// swift-tools-version: 6.2
import PackageDescription

// A store over a web service, the service, a program that uses both, and a server of files. A package of its own, so that nobody who depends on the
// framework, or builds ./run, fetches or compiles an HTTP server. It shares the build folder of the framework and of the studio:
// swift build --package-path Examples/WebStore --scratch-path .build

/// The traits of the framework (WEBSTORE_TRAITS=PostgreSQL): those with which the build folder was filled. Where the studio is built,
/// which depends on this package, they are those of the studio.
let wanted = Context.environment["WEBSTORE_TRAITS"] ?? Context.environment["STUDIO_TRAITS"] ?? ""
let names = wanted.split(separator: ",").map(String.init)
let traits = Set(names.map { Package.Dependency.Trait.init(stringLiteral: $0) })

let package = Package(
  name: "WebStore",
  // The studio has the libraries. WebClient and SeedServer are no products, since the plugin of the one would be built by the studio
  // too; `swift run` finds them all the same.
  products: [
    .library(name: "WebStore", targets: ["WebStore"]),
    .library(name: "WebServing", targets: ["WebService"]),
    .executable(name: "WebService", targets: ["WebServiceCommand"]),
  ],
  dependencies: [
    .package(name: "OpenCoreData", path: "../..", traits: traits),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // What goes over the wire: for both sides.
    .target(name: "WebProtocol", dependencies: [.product(name: "CoreData", package: "OpenCoreData")]),
    .target(name: "WebStore", dependencies: ["WebProtocol", .product(name: "CoreData", package: "OpenCoreData")]),
    .target(
      name: "WebService",
      dependencies: [
        "WebProtocol", .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]),
    .executableTarget(
      name: "WebServiceCommand",
      dependencies: ["WebService", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    // A server of files, for the seed that UFOSightings fetches.
    .executableTarget(
      name: "SeedServer",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "WebClient",
      dependencies: [
        "WebStore", "WebService", .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      plugins: [.plugin(name: "CoreDataCodegen", package: "OpenCoreData")]),
    .testTarget(
      name: "WebStoreTests",
      dependencies: [
        "WebStore", "WebProtocol", "WebService", "WebClient", "SeedServer",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "StoreConformance", package: "OpenCoreData"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
