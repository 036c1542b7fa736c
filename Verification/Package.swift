// swift-tools-version: 6.1
import PackageDescription

// On a Mac the checks look at Apple's Core Data, and the package has no dependencies. Elsewhere they look at this
// repository's, and show that they compile and find what the deviations say.
var packages: [Package.Dependency] = []
var products: [Target.Dependency] = []
#if os(Linux)
  // A trait is an option of every compilation: with those of another build its folder can be used
  // (VERIFICATION_TRAITS=SwiftLog swift run --scratch-path ../.build verify).
  let names = Context.environment["VERIFICATION_TRAITS"]?.split(separator: ",").map(String.init) ?? []
  packages = [
    .package(
      name: "OpenCoreData", path: "..", traits: Set(names.map { Package.Dependency.Trait.init(stringLiteral: $0) }))
  ]
  products = [.product(name: "CoreData", package: "OpenCoreData")]
#endif

let package = Package(
  name: "Verification",
  platforms: [.macOS(.v14)],
  dependencies: packages,
  targets: [.executableTarget(name: "verify", dependencies: products)],
  swiftLanguageModes: [.v5]
)
