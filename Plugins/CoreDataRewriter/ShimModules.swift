import Foundation
import PackagePlugin

/// Modules of Apple's systems for which projects have stand-ins on other systems.
private let systemModules: Set = [
  "AppKit", "CloudKit", "Cocoa", "Combine", "Contacts", "CoreFoundation", "CoreGraphics", "CoreImage", "CoreLocation",
  "CoreServices", "CoreSpotlight", "CryptoKit", "Darwin", "MapKit", "MobileCoreServices", "OSLog", "ObjectiveC",
  "Photos", "QuartzCore", "Security", "StoreKit", "SwiftUI", "SystemConfiguration", "UIKit", "UniformTypeIdentifiers",
  "UserNotifications", "WatchKit", "WidgetKit", "os",
]

/// Names the files of other packages whose `#if canImport` holds because a target depends on a stand-in for a module of
/// Apple's systems.
///
/// All modules of a build are in one folder, in which the compiler looks for whatever `canImport` names, in every package:
/// code that another package has for Apple's systems is compiled once the stand-in is built, and not before.
func warnAboutShims(of target: any Target, in package: Package) {
  let shims = target.recursiveTargetDependencies.filter { systemModules.contains($0.name) }
  guard !shims.isEmpty else { return }
  let packages = allPackages(from: package)
  for shim in shims.sorted(by: { $0.name < $1.name }) {
    let others = packages.filter { package in !package.targets.contains { $0.id == shim.id } }
    let files = others.flatMap { sources(of: $0, asking: shim.name) }
    guard let first = files.first else { continue }
    let more = files.count > 1 ? " and \(files.count - 1) more" : ""
    Diagnostics.warning(
      """
      The module \(shim.name), on which \(target.name) depends, switches on '#if canImport(\(shim.name))' in other packages, \
      too: \(first)\(more). Give it another name, and import that one where canImport(\(shim.name)) does not hold
      """)
  }
}

/// A package and those on which it depends, each once.
private func allPackages(from package: Package) -> [Package] {
  var known: Set<String> = []
  var found: [Package] = []
  var waiting = [package]
  while let next = waiting.popLast() {
    guard known.insert(next.id).inserted else { continue }
    found.append(next)
    waiting += next.dependencies.map(\.package)
  }
  return found.sorted { $0.id < $1.id }
}

/// The files of a package that ask for a module, without those of its tests.
private func sources(of package: Package, asking module: String) -> [String] {
  let targets = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter { $0.kind != .test }
  let files = targets.flatMap { $0.sourceFiles.filter { $0.type == .source }.map(\.url) }
  return files.filter { $0.pathExtension == "swift" }.filter { file in
    guard let data = try? Data(contentsOf: file) else { return false }
    return data.range(of: Data("canImport(\(module))".utf8)) != nil
  }.map(\.path).sorted()
}
