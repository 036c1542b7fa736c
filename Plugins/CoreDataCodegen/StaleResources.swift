import Foundation
import PackagePlugin

extension CoreDataCodegen {
  /// Deletes models that an earlier build made, and that the target has no more.
  ///
  /// The package manager copies resources into a target's bundle and leaves them there when they are gone: a model that was
  /// renamed or excluded would still be found, and merged with the others.
  /// - Parameters:
  ///   - outputs: what the commands of this build make.
  ///   - folder: where earlier builds of the target have put what they made.
  func deleteStaleResources(
    of target: SwiftSourceModuleTarget, besides outputs: Set<String>, in folder: URL, _ package: Package
  ) {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    let kinds = ["momd", "mom", "xcdatamodeld", "xcdatamodel", "cdm"]
    for name in names.sorted() where kinds.contains((name as NSString).pathExtension) && !outputs.contains(name) {
      try? files.removeItem(at: folder.appending(path: name))
      // What the manifest lists is the package manager's to copy.
      if isListed(name, in: target) { continue }
      for bundle in bundles(of: target, folder, package) where files.fileExists(atPath: "\(bundle)/\(name)") {
        do {
          try files.removeItem(atPath: "\(bundle)/\(name)")
          Diagnostics.remark("\(target.name) has no model \(name) any more: it is deleted from \(bundle)")
        } catch {
          Diagnostics.warning("\(target.name) has no model \(name) any more: delete it from \(bundle) (\(error))")
        }
      }
    }
  }

  /// Whether a resource of the manifest has a name, in a listed folder too.
  private func isListed(_ name: String, in target: SwiftSourceModuleTarget) -> Bool {
    target.sourceFiles.filter { $0.type == .resource }.contains { file in
      if file.url.lastPathComponent == name { return true }
      let inside = FileManager.default.enumerator(atPath: file.url.path)?.compactMap { $0 as? String } ?? []
      return inside.contains { ($0 as NSString).lastPathComponent == name }
    }
  }

  /// The target's bundles of all configurations in the build folder, which holds
  /// `plugins/outputs/PACKAGE/TARGET/destination/PLUGIN`.
  private func bundles(of target: SwiftSourceModuleTarget, _ folder: URL, _ package: Package) -> [String] {
    let build = (0..<6).reduce(folder) { url, _ in url.deletingLastPathComponent() }.path
    let files = FileManager.default
    guard folder.path.hasPrefix(build + "/plugins/outputs/") else { return [] }
    return ((try? files.contentsOfDirectory(atPath: build)) ?? []).flatMap { platform in
      ["debug", "release"].map { "\(build)/\(platform)/\($0)/\(package.displayName)_\(target.name).resources" }
    }.filter(files.fileExists)
  }
}
