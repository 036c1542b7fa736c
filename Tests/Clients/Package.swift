// swift-tools-version: 6.2
import PackageDescription

// Clients of the framework, each as somebody would write it, in one package, so that the framework is built once a
// configuration. `run` builds and runs them in both language modes; a target that fits one mode alone says which.

/// The mode of the clients that compile in both.
let mode: SwiftLanguageMode = Context.environment["CLIENTS_LANGUAGE_MODE"] == "6" ? .v6 : .v5

/// The traits of the framework (CLIENTS_TRAITS=SwiftLog,PostgreSQL): a client that names SwiftLog is among these.
let traits = Set(["SwiftLog"] + (Context.environment["CLIENTS_TRAITS"] ?? "").split(separator: ",").map(String.init))

let coreData: Target.Dependency = .product(name: "CoreData", package: "OpenCoreData")
let codegen: Target.PluginUsage = .plugin(name: "CoreDataCodegen", package: "OpenCoreData")
let rewriter: Target.PluginUsage = .plugin(name: "CoreDataRewriter", package: "OpenCoreData")

/// Projects as they are written for Apple's platforms, each with both plugins. Each says what must come of it.
let projects =
  ["Journal", "Repository", "Toolkit", "Filters", "InCode", "Formats", "Witnesses"].map { project($0) } + [
    project("Garden", dependencies: ["Expect", "StackKit"], resources: [.process("Seeds")])
  ]

@MainActor func project(
  _ name: String, dependencies: [Target.Dependency] = ["Expect"], resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: [coreData] + dependencies, path: "Projects/\(name)", sources: ["\(name)+Package.swift"],
    resources: resources, plugins: [codegen, rewriter])
}

/// Test targets as Xcode has them, with what they test.
let tests: [Target] = [
  // A module that shows nothing of the framework, beside files that do.
  .target(
    name: "Layers", dependencies: [coreData], path: "Projects/Layers", sources: ["Layers+Package.swift"],
    plugins: [rewriter]),
  .testTarget(
    name: "LayersTests", dependencies: [coreData, "Layers"], path: "Projects/LayersTests",
    sources: ["LayersTests+Package.swift"], plugins: [rewriter]),
  // Fixtures and a model beside the tests.
  .testTarget(
    name: "FixtureTests", dependencies: [coreData, "StackKit"], path: "Projects/FixtureTests",
    sources: ["FixtureTests+Package.swift"], resources: [.process("Fixtures")], plugins: [codegen, rewriter]),
]

let package = Package(
  name: "Clients",
  dependencies: [
    .package(
      name: "OpenCoreData", path: "../..", traits: Set(traits.map { Package.Dependency.Trait.init(stringLiteral: $0) })),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.4"),
  ],
  targets: [
    // As it comes out of an Xcode project. Each lists one file, and the plugin compiles copies of all others.
    .target(
      name: "Kit", dependencies: [coreData], path: "XcodeProject/Kit", sources: ["Kit.swift"],
      plugins: [codegen, rewriter]),
    .target(
      name: "Model", dependencies: [coreData, "Kit"], path: "XcodeProject/Model", sources: ["Model.swift"],
      plugins: [codegen, rewriter]),
    // A tool with top-level code: the listed file is empty, main.swift is rewritten.
    .executableTarget(
      name: "Script", dependencies: [coreData], path: "XcodeProject/Script", sources: ["Script.swift"],
      plugins: [rewriter]),
    .executableTarget(
      name: "App", dependencies: [coreData, "Model", "Kit", "Strict", "Logged"], path: "XcodeProject/App"),
    // Generated classes under the strictest settings, where a warning is an error; the model in a listed folder.
    .target(
      name: "Strict", dependencies: [coreData], path: "Strict", resources: [.copy("Resources")],
      swiftSettings: [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
      ], plugins: [codegen]),
    // The framework's log in swift-log.
    .target(
      name: "Logged",
      dependencies: [
        coreData, .product(name: "CoreDataLogging", package: "OpenCoreData"),
        .product(name: "Logging", package: "swift-log"), .product(name: "InMemoryLogging", package: "swift-log"),
      ], path: "Logged"),
    // The program that asks the projects, and what it asks by.
    .target(name: "Expect", path: "Projects/Expect"),
    // A library without a model, which is handed bundles.
    .target(
      name: "StackKit", dependencies: [coreData], path: "Projects/StackKit", sources: ["StackKit+Package.swift"],
      plugins: [rewriter]),
    .executableTarget(
      name: "Projects", dependencies: ["Expect"] + projects.map { .target(name: $0.name) }, path: "Projects/Checks"),
  ] + projects + tests,
  swiftLanguageModes: [mode]
)
