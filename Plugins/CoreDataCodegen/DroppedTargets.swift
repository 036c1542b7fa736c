import Foundation
import PackagePlugin

extension CoreDataCodegen {
  /// Names the folders that hold a model and no source file. The package manager drops such a target before it asks a plugin
  /// for commands, and what imports it does not compile: this is said by the plugin of a target whose folder is beside it.
  func warnAboutDroppedTargets(beside target: any Target, in package: Package) {
    let known = Set(package.targets.map { $0.directoryURL.standardizedFileURL.path })
    let parent = target.directoryURL.deletingLastPathComponent()
    // Where targets lie beside the manifest, or a target is the whole package, other folders are anything.
    let root = package.directoryURL.standardizedFileURL.path
    guard parent.standardizedFileURL.path.hasPrefix(root.hasSuffix("/") ? root : root + "/") else { return }
    let folders =
      (try? FileManager.default.contentsOfDirectory(
        at: parent, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)) ?? []
    for folder in folders.sorted(by: { $0.path < $1.path }) where !known.contains(folder.standardizedFileURL.path) {
      // A folder around targets, or below one, is none itself.
      let isPart = known.contains { $0.hasPrefix(folder.standardizedFileURL.path + "/") }
      guard !isPart, !known.contains(parent.standardizedFileURL.path), let model = loneModel(in: folder) else {
        continue
      }
      Diagnostics.warning(
        """
        \(folder.lastPathComponent) holds the model \(model) and no Swift file. If it is a target, the package manager \
        drops it, and its classes are not made: add a Swift file, which may be empty, and touch Package.swift
        """)
    }
  }

  /// The name of a model in a folder without source files.
  private func loneModel(in folder: URL) -> String? {
    guard folder.hasDirectoryPath, !["xcdatamodeld", "xcdatamodel"].contains(folder.pathExtension),
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return nil }
    var model: String?
    for case let url as URL in files {
      if ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) {
        model = url.lastPathComponent
        files.skipDescendants()
      }
      if ["swift", "c", "cpp", "cc", "m", "mm", "s", "S"].contains(url.pathExtension) { return nil }
    }
    return model
  }
}
