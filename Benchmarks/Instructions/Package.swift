// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A package of its own, so that the same program can be built over another state of the framework: OPENCOREDATA names
// the folder of that state.
let framework = ProcessInfo.processInfo.environment["OPENCOREDATA"] ?? "../.."

let package = Package(
  name: "Instructions",
  dependencies: [.package(name: "OpenCoreData", path: framework)],
  targets: [
    .executableTarget(
      name: "counted", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Sources/Counted",
      plugins: [.plugin(name: "CoreDataCodegen", package: "OpenCoreData")])
  ],
  swiftLanguageModes: [.v6]
)
