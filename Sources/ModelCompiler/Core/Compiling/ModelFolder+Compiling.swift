import Foundation

// Compiles a model into a resource of the target. A compiled model has the same file names as with Apple's compiler,
// but its files contain the XML of each version: the framework reads XML, too, and so writing it needs no compiled
// framework.

extension ModelFolder {
  /// The name of the compiled model: `.momd` with versions, `.mom` for a single model.
  package var compiledName: String { name + (path.hasSuffix(".xcdatamodeld") ? ".momd" : ".mom") }

  /// Copies the model with all its versions into a folder, replacing an older copy. The module's name is added to its
  /// classes.
  package func copy(into folder: String, module: String) throws {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let target = folder + "/" + file
    try remove(target)
    try FileManager.default.copyItem(atPath: path, toPath: target)
    let versions = path.hasSuffix(".xcdatamodeld") ? try self.versions().map { target + "/" + $0 } : [target]
    for version in versions {
      guard let contents = FileManager.default.regularContents(atPath: version + "/contents") else { continue }
      let url = URL(fileURLWithPath: version + "/contents")
      // Writing atomically also replaces a file that is read-only.
      try CurrentModule.qualify(contents, with: module).write(to: url, options: .atomic)
    }
  }

  /// Writes the compiled model into a folder, replacing an older one: the source of each version as `.mom`, and
  /// `VersionInfo.plist` beside these files.
  ///
  /// Versions without XML, from Xcode before version 4, are left out because they cannot be read (`binaryVersions`).
  /// Versions with mistakes have no hashes: only the current version was checked.
  package func compile(into folder: String, module: String) throws {
    let target = folder + "/" + compiledName
    try remove(target)
    guard path.hasSuffix(".xcdatamodeld") else {
      let contents = try CurrentModule.qualify(read(path + "/contents"), with: module)
      return try contents.write(to: URL(fileURLWithPath: target), options: .atomic)
    }
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    let current = try contents()
    var hashes: [String: [String: Data]] = [:]
    var checksums: [String: String] = [:]
    var currentName = ""
    for version in try versions() {
      let file = "\(path)/\(version)/contents"
      guard FileManager.default.fileExists(atPath: file) else { continue }
      let name = String(version.dropLast(".xcdatamodel".count))
      if file == current { currentName = name }
      let contents = try CurrentModule.qualify(read(file), with: module)
      try contents.write(to: URL(fileURLWithPath: "\(target)/\(name).mom"))
      guard let found = VersionHashes(contents) else { continue }
      hashes[name] = found.entities
      checksums[name] = found.checksum
    }
    let info: [String: Any] = [
      "NSManagedObjectModel_CurrentVersionName": currentName, "NSManagedObjectModel_VersionHashes": hashes,
      "NSManagedObjectModel_VersionChecksums": checksums,
    ]
    // XML has the entries in a fixed order, so that equal models give equal files.
    try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
      .write(to: URL(fileURLWithPath: target + "/VersionInfo.plist"))
  }

  /// Returns the names of the model's `.xcdatamodel` folders.
  private func versions() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".xcdatamodel") }.sorted()
  }

  private func read(_ file: String) throws -> Data {
    guard let data = FileManager.default.regularContents(atPath: file) else {
      throw SourceProblems(list: [SourceProblem(path: file, message: "the file cannot be read")])
    }
    return data
  }

  private func remove(_ target: String) throws {
    if FileManager.default.fileExists(atPath: target) { try FileManager.default.removeItem(atPath: target) }
  }
}
