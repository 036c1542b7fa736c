import Foundation
import OpenCocoaFoundation

extension NSManagedObjectModel {
  /// Writes the model as a compiled model, a `.mom` file, which Apple's frameworks can read.
  ///
  /// - Throws: an error of NSCocoaErrorDomain: 134020 for a predicate or expression that cannot be archived, or the
  ///   error of writing the file.
  package final func write(compiledModelTo url: URL) throws {
    let data: Data
    do {
      data = try ModelEncoder.encode(self, as: .compiled)
    } catch let problem as ArchiveProblem {
      throw ModelProblem.inconsistent(problem.reason).error(file: url)
    }
    try data.write(to: url, options: .atomic)
  }
}

/// Compiles source models: `.xcdatamodeld` to `.momd`, `.xcdatamodel` to `.mom`.
package enum CompiledModel {
  /// Compiles a source model into a folder, and returns the URL of the file or folder that was made. A file or folder
  /// of that name is replaced.
  ///
  /// - Parameter module: the module whose classes the model means by "Current Product Module"; with nil the classes
  ///   keep their bare names.
  /// - Throws: an error of NSCocoaErrorDomain: the error of reading the model or of writing. Nothing was made or
  ///   replaced then.
  package static func compile(_ source: URL, into folder: URL, module: String? = nil) throws -> URL {
    let name = source.deletingPathExtension().lastPathComponent
    guard source.pathExtension == "xcdatamodeld" else {
      let model = try NSManagedObjectModel(validatingContentsOf: source, module: module)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent(name + ".mom")
      try model.write(compiledModelTo: file)
      return file
    }
    let versions = try ModelFile.versions(of: source)
    let models = try versions.map {
      (
        name: $0.deletingPathExtension().lastPathComponent,
        model: try NSManagedObjectModel(validatingContentsOf: $0, module: module)
      )
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let result = folder.appendingPathComponent(name + ".momd")
    let unfinished = folder.appendingPathComponent(".\(name)-\(UUID().uuidString).momd")
    do {
      try FileManager.default.createDirectory(at: unfinished, withIntermediateDirectories: true)
      for (name, model) in models {
        try model.write(compiledModelTo: unfinished.appendingPathComponent(name + ".mom"))
      }
      let info = BinaryPropertyListWriter.write(versionInfo(models))
      try info.write(to: unfinished.appendingPathComponent("VersionInfo.plist"))
      try put(unfinished, at: result)
    } catch {
      try? FileManager.default.removeItem(at: unfinished)
      throw error
    }
    return result
  }

  /// Moves a folder to a place. A folder that is there is set aside for the time, removed at the end, and put back if the new one
  /// cannot be moved.
  static func put(_ folder: URL, at place: URL) throws {
    guard FileManager.default.fileExists(atPath: place.path) else {
      return try FileManager.default.moveItem(at: folder, to: place)
    }
    let old = folder.appendingPathExtension("old")
    try FileManager.default.moveItem(at: place, to: old)
    do {
      try FileManager.default.moveItem(at: folder, to: place)
    } catch {
      try? FileManager.default.moveItem(at: old, to: place)
      throw error
    }
    try? FileManager.default.removeItem(at: old)
  }

  /// Returns the names of the versions, the current version first, with their hashes.
  private static func versionInfo(_ models: [(name: String, model: NSManagedObjectModel)]) -> PropertyListValue {
    var hashes: [String: PropertyListValue] = [:]
    var checksums: [String: PropertyListValue] = [:]
    for (name, model) in models {
      hashes[name] = .dictionary(model.entityVersionHashesByName.mapValues(PropertyListValue.data))
      checksums[name] = .string(model.versionChecksum)
    }
    return .dictionary([
      "NSManagedObjectModel_CurrentVersionName": .string(models.first?.name ?? ""),
      "NSManagedObjectModel_VersionHashes": .dictionary(hashes),
      "NSManagedObjectModel_VersionChecksums": .dictionary(checksums),
    ])
  }
}
