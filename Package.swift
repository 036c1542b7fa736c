// swift-tools-version: 6.2
import PackageDescription

/// A program under Examples.
func example(_ name: String, and others: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "CoreData", "CommandSupport", "ExampleSupport",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ] + others,
    path: "Examples/\(name)", exclude: ["README.md"], plugins: ["CoreDataCodegen"])
}

/// What a target needs that has code which runs when the program is loaded. The attributes are part of the language since 6.3.
#if compiler(>=6.3)
  let codeThatRunsWhenLoaded: [SwiftSetting] = []
#else
  let codeThatRunsWhenLoaded: [SwiftSetting] = [.enableExperimentalFeature("SymbolLinkageMarkers")]
#endif

let package = Package(
  name: "OpenCoreData",
  // A client builds what it names, and pays for all that is listed here: it fetches the packages behind any product, and builds the
  // tool of a plugin that any product's target uses. So these stand on no other package but by a trait, and use no plugin. What
  // does, the programs and the examples, is no product, and `swift run coredata` finds it all the same (addProducts, below).
  products: [
    // With the modules behind the names, so that clients are compiled anew when one of them changes (see the end).
    .library(name: "CoreData", targets: ["CoreData", "OpenCoreData", "OpenCocoaFoundation"]),
    .library(name: "CocoaFoundation", targets: ["CocoaFoundation", "OpenCocoaFoundation"]),
    .library(name: "StoreConformance", targets: ["StoreConformance"]),
    .library(name: "CoreDataTesting", targets: ["CoreDataTesting"]),
    .library(name: "CoreDataLogging", targets: ["CoreDataLogging"]),
    .library(name: "CoreDataPostgreSQL", targets: ["CoreDataPostgreSQL"]),
    .library(name: "CoreDataTools", targets: ["CoreDataTools", "InstrumentsAnalysis", "CommandSupport"]),
    .plugin(name: "CoreDataCodegen", targets: ["CoreDataCodegen"]),
    .plugin(name: "CoreDataRewriter", targets: ["CoreDataRewriter"]),
  ],
  traits: [
    .trait(name: "SwiftLog", description: "CoreDataLogging: the framework's log goes to a Logger of swift-log."),
    .trait(name: "PostgreSQL", description: "CoreDataPostgreSQL: stores in a PostgreSQL server; needs libpq."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CRuntime"),
    .target(
      name: "OpenCocoaFoundation", dependencies: ["CRuntime", "XMLReading"], swiftSettings: codeThatRunsWhenLoaded),
    .target(name: "CocoaFoundation", dependencies: ["OpenCocoaFoundation"]),
    // What version hashes are made of, for the framework and for the build plugins' tool.
    .target(name: "VersionHashing"),
    // XML from outside, for the same two.
    .target(name: "XMLReading"),
    .target(
      name: "OpenCoreData",
      dependencies: ["CSQLite", "CZlib", "CRuntime", "OpenCocoaFoundation", "VersionHashing", "XMLReading"]),
    .target(name: "CoreData", dependencies: ["OpenCoreData", "OpenCocoaFoundation"]),
    .target(name: "StoreConformance", dependencies: ["CoreData", "OpenCoreData"]),
    .target(name: "CoreDataTesting", dependencies: ["CoreData", "OpenCoreData"]),
    .target(
      name: "CoreDataLogging",
      dependencies: [
        "OpenCoreData", .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
      ]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "CoreDataPostgreSQL",
      dependencies: [
        "OpenCoreData", "OpenCocoaFoundation", "CRuntime",
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ]),
    .target(
      name: "ModelCompilerCore", dependencies: ["VersionHashing", "XMLReading"], path: "Sources/ModelCompiler/Core"),
    .executableTarget(
      name: "ModelCompiler", dependencies: ["ModelCompilerCore"], path: "Sources/ModelCompiler/Tool"),
    .plugin(name: "CoreDataCodegen", capability: .buildTool(), dependencies: ["ModelCompiler"]),
    .plugin(name: "CoreDataRewriter", capability: .buildTool(), dependencies: ["ModelCompiler"]),
    .target(
      name: "PerformanceTuning", dependencies: ["CoreData"], path: "Examples/PerformanceTuning",
      exclude: ["README.md", "Command", "Program"], plugins: ["CoreDataCodegen"]),
    // `coredata tune`, and a program that is that command alone: ./run builds no more than it runs.
    .target(
      name: "TuneCommand",
      dependencies: [
        "CoreData", "CoreDataPostgreSQL", "CommandSupport", "PerformanceTuning",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Examples/PerformanceTuning/Command"),
    .executableTarget(name: "tune", dependencies: ["TuneCommand"], path: "Examples/PerformanceTuning/Program"),
    // What programs in a terminal have in common: progress, tables, figures, failures in words.
    .target(name: "CommandSupport"),
    // What the examples have besides: costs, explained statements, bars, random numbers.
    .target(
      name: "ExampleSupport", dependencies: ["CoreData", "OpenCoreData", "CommandSupport"], path: "Examples/Support"),
    example("MultiThread"),
    example("ConcurrencyModels"),
    example("Photos"),
    example("Blobs"),
    example("UFOSightings", and: ["VersionHashing"]),
    example("Search", and: ["CSQLite"]),
    // What a recording tells. Programs that record need none of it.
    .target(name: "InstrumentsAnalysis", dependencies: ["OpenCoreData", "OpenCocoaFoundation"]),
    // What the command-line tool knows of stores, models, migrations and recordings.
    .target(
      name: "CoreDataTools",
      dependencies: [
        "CoreData", "OpenCoreData", "OpenCocoaFoundation", "CoreDataPostgreSQL", "CommandSupport",
        "InstrumentsAnalysis",
      ],
      resources: [
        .embedInCode("Instruments/Page/page.mustache"), .embedInCode("Instruments/Page/content.mustache"),
        .embedInCode("Instruments/Page/finding.mustache"), .embedInCode("Instruments/Page/node.mustache"),
        .embedInCode("Instruments/Page/page.css"),
        .embedInCode("Instruments/Page/page.js"),
      ]),
    .executableTarget(
      name: "coredata",
      dependencies: [
        "CoreDataTools", "CoreData", "OpenCoreData", "CoreDataPostgreSQL", "CommandSupport", "InstrumentsAnalysis",
        "ModelCompilerCore", "TuneCommand", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Random tests whose cases are numbered.
    .target(name: "FuzzSupport", path: "Tests/FuzzSupport"),
    .testTarget(name: "FuzzSupportTests", dependencies: ["FuzzSupport"]),
    // Operations on stores while calls of the system fail.
    .executableTarget(
      name: "FailingCallsWorker", dependencies: ["CoreData", "OpenCoreData"], path: "Tests/FailingCalls/Worker"),
    .testTarget(
      name: "FailingCallsTests", dependencies: ["FailingCallsWorker", "coredata", "FuzzSupport"],
      path: "Tests/FailingCalls/Tests"),
    .testTarget(name: "CocoaFoundationTests", dependencies: ["CocoaFoundation", "FuzzSupport"]),
    .testTarget(
      name: "OpenCoreDataTests",
      dependencies: ["OpenCoreData", "CoreData", "FuzzSupport", "CoreDataPostgreSQL", "PostgreSQLTestServer"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "ManagedClassesTests", dependencies: ["CoreData"], plugins: ["CoreDataCodegen"]),
    // One client's source in both language modes, where a warning is an error.
    .testTarget(
      name: "ClientSourceTests", dependencies: ["CoreData"], path: "Tests/ClientSourceTests/Mode6",
      swiftSettings: [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
    .testTarget(
      name: "ClientSource5Tests", dependencies: ["CoreData"], path: "Tests/ClientSourceTests/Mode5",
      swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    .testTarget(name: "ModelCompilerTests", dependencies: ["ModelCompilerCore", "OpenCoreData"]),
    .testTarget(name: "StoreConformanceTests", dependencies: ["StoreConformance", "CoreData", "OpenCoreData"]),
    // A server of the tests' own, and what stands between it and a client.
    .target(name: "PostgreSQLTestServer", path: "Tests/PostgreSQLTestServer"),
    .testTarget(
      name: "CoreDataPostgreSQLTests",
      dependencies: [
        "CoreDataPostgreSQL", "PostgreSQLTestServer", "StoreConformance", "CoreData", "OpenCoreData", "FuzzSupport",
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ]),
    .testTarget(name: "CoreDataTestingTests", dependencies: ["CoreDataTesting", "CoreData"]),
    // Runs the tool for the tests of its commands.
    .target(name: "ToolProcess", path: "Tests/ToolProcess"),
    .testTarget(
      name: "PerformanceTuningTests",
      dependencies: [
        "PerformanceTuning", "CommandSupport", "coredata", "CoreData", "ToolProcess", "PostgreSQLTestServer",
      ]),
    .testTarget(name: "ExampleSupportTests", dependencies: ["ExampleSupport", "CommandSupport"]),
    .testTarget(name: "MultiThreadTests", dependencies: ["MultiThread", "CSQLite", "ToolProcess"]),
    .testTarget(name: "ConcurrencyModelsTests", dependencies: ["ConcurrencyModels", "CoreData", "ToolProcess"]),
    .testTarget(name: "PhotosTests", dependencies: ["Photos", "ToolProcess"]),
    .testTarget(name: "SearchTests", dependencies: ["Search", "ToolProcess"]),
    .testTarget(name: "BlobsTests", dependencies: ["Blobs", "ToolProcess"]),
    .testTarget(name: "UFOSightingsTests", dependencies: ["UFOSightings", "CSQLite", "ToolProcess"]),
    .testTarget(name: "ModelCommandTests", dependencies: ["coredata", "CoreData", "ToolProcess"]),
    .testTarget(
      name: "MigrateCommandTests",
      dependencies: ["coredata", "CoreData", "OpenCoreData", "CSQLite", "ToolProcess", "PostgreSQLTestServer"]),
    .testTarget(
      name: "CoreDataToolsTests",
      dependencies: [
        "CoreDataTools", "CommandSupport", "CoreData", "OpenCoreData", "CoreDataPostgreSQL", "CSQLite",
        "PostgreSQLTestServer",
      ]),
    .testTarget(
      name: "StoreCommandTests",
      dependencies: [
        "coredata", "CoreData", "OpenCoreData", "CSQLite", "ToolProcess", "FuzzSupport", "PostgreSQLTestServer",
      ]),
    .testTarget(
      name: "InstrumentsCommandTests",
      dependencies: ["coredata", "CoreData", "OpenCoreData", "InstrumentsAnalysis", "Photos", "CZlib", "ToolProcess"]),
  ],
  swiftLanguageModes: [.v6]
)

package.nameIndirectDependencies()
package.addProducts(named: Context.environment["OPENCOREDATA_PRODUCTS"] ?? "")
package.leaveOutTestsOfLaterCompilers()

extension Package {
  /// Gives each target all modules that it stands on as dependencies of its own.
  ///
  /// The package manager compiles a target anew when the interface of a module changes that the target names, but not when
  /// it is that of a module behind one of these. The layout of a class may have changed there, and what was compiled
  /// against the old one would crash.
  func nameIndirectDependencies() {
    let targets = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
    var found: [String: Set<String>] = [:]
    func below(_ target: Target) -> Set<String> {
      if let names = found[target.name] { return names }
      var names: Set<String> = []
      for name in target.dependencies.compactMap(\.targetName) {
        // A library of the system has no interface that could change, and may be one that only a trait needs.
        guard let next = targets[name], next.type != .plugin, next.type != .system else { continue }
        names.formUnion(below(next).union([name]))
      }
      found[target.name] = names
      return names
    }
    for target in self.targets where target.type != .plugin {
      let missing = below(target).subtracting(target.dependencies.compactMap(\.targetName))
      target.dependencies += missing.sorted().map { .target(name: $0) }
    }
  }
}

extension Package {
  /// Makes products of targets for packages that need them: OPENCOREDATA_PRODUCTS=tune,PerformanceTuning.
  ///
  /// The studio, the benchmarks and the programs in Fuzzing are packages of their own, and set it where they are built. Neither
  /// `swift run` nor `swift build --product` in this folder needs it: there each executable target is a product.
  func addProducts(named names: String) {
    for name in names.split(separator: ",").map(String.init) where !products.contains(where: { $0.name == name }) {
      switch targets.first(where: { $0.name == name })?.type {
      case .executable: products.append(.executable(name: name, targets: [name]))
      case .regular: products.append(.library(name: name, targets: [name]))
      default: fatalError("OPENCOREDATA_PRODUCTS names \(name), and there is no library or program of that name.")
      }
    }
  }
}

extension Package {
  /// Leaves out tests that run parts of themselves in other processes and capture values there, which Swift Testing takes since
  /// 6.3.
  func leaveOutTestsOfLaterCompilers() {
    #if compiler(<6.3)
      targets.removeAll { $0.name == "OpenCoreDataTests" }
      let target = targets.first { $0.name == "CocoaFoundationTests" }
      target?.exclude.append("UndoManagerTargetTests.swift")
    #endif
  }
}

extension Target.Dependency {
  fileprivate var targetName: String? {
    switch self {
    case .targetItem(let name, _), .byNameItem(let name, _): name
    default: nil
    }
  }
}
