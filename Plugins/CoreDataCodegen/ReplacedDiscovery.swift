import Foundation
import PackagePlugin

/// Names a file that replaces the discovery of tests.
///
/// The package manager makes `LinuxMain.swift` beside the test targets the program that runs the tests, and says nothing: a
/// test that the file does not list is never run. Projects have it from times before the discovery.
func warnAboutReplacedDiscovery(in package: Package) {
  let tests = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter { $0.kind == .test }
  let folders = Set(tests.map { $0.directoryURL.deletingLastPathComponent().standardizedFileURL.path })
  for folder in folders.sorted() {
    for name in ["LinuxMain.swift", "XCTMain.swift"] where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
      Diagnostics.warning(
        "\(folder)/\(name) replaces the discovery of tests: those that it does not list are not run; delete it")
    }
  }
}
