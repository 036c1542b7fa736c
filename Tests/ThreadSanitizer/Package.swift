// swift-tools-version: 6.2
import PackageDescription

// The framework and its concurrency tests, for `swift test --sanitize=thread`; .ci/thread-sanitizer runs it. All that is
// built are links to the sources: the sanitizer needs a build of its own, and of the whole package it would take long.
let sanitized: [SwiftSetting] = [.define("THREAD_SANITIZER")]

let package = Package(
  name: "ThreadSanitizer",
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .target(name: "CRuntime"),
    .target(name: "XMLReading"),
    .target(name: "OpenCocoaFoundation", dependencies: ["CRuntime", "XMLReading"]),
    .target(name: "VersionHashing"),
    .target(
      name: "OpenCoreData",
      dependencies: ["CSQLite", "CZlib", "CRuntime", "OpenCocoaFoundation", "VersionHashing", "XMLReading"],
      swiftSettings: sanitized),
    .target(name: "CoreData", dependencies: ["OpenCoreData", "OpenCocoaFoundation"]),
    .target(name: "FuzzSupport", path: "Tests/FuzzSupport"),
    .testTarget(
      name: "OpenCoreDataTests", dependencies: ["OpenCoreData", "CoreData", "FuzzSupport"], swiftSettings: sanitized),
    .testTarget(name: "RaceTests", dependencies: ["OpenCoreData", "CoreData"], swiftSettings: sanitized),
  ],
  swiftLanguageModes: [.v6]
)
