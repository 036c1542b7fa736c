import Foundation

// Look-ups of models in a bundle that a caller gives. `CoreDataRewriter` writes them in targets without a model, where
// the bundle may be the main one: on Apple's systems that has the models of an application, here it has none.
extension Bundle {
  /// `url(forResource:withExtension:)` for a model: one of the program's, if this is the main bundle and has none.
  public func _modelURL(forResource name: String?, withExtension suffix: String?) -> URL? {
    found(url(forResource: name, withExtension: suffix), name) { program(name, suffix) }
  }

  /// The same for a version of a model: `subdirectory` is the model's folder, as `"Shop.momd"`.
  public func _modelURL(forResource name: String?, withExtension suffix: String?, subdirectory: String?) -> URL? {
    found(url(forResource: name, withExtension: suffix, subdirectory: subdirectory)) {
      guard let subdirectory else { return program(name, suffix) }
      let file = [name, suffix].compactMap { $0 }.joined(separator: ".")
      let url = program(subdirectory, nil)?.appendingPathComponent(file)
      return url.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
    }
  }

  /// `path(forResource:ofType:)` for a model.
  public func _modelPath(forResource name: String?, ofType suffix: String?) -> String? {
    _modelURL(forResource: name, withExtension: suffix)?.path
  }

  /// The same for a version of a model, in the model's folder.
  public func _modelPath(forResource name: String?, ofType suffix: String?, inDirectory folder: String?) -> String? {
    _modelURL(forResource: name, withExtension: suffix, subdirectory: folder)?.path
  }

  /// `urls(forResourcesWithExtension:subdirectory:)` for models, or for the versions of one; nil for none.
  public func _modelURLs(forResourcesWithExtension suffix: String?, subdirectory: String?) -> [URL]? {
    let list: [NSURL]? = urls(forResourcesWithExtension: suffix, subdirectory: subdirectory)
    let own = (list ?? []).map { $0 as URL }
    return found(own.isEmpty ? nil : own) { programs(suffix, subdirectory) }
  }

  /// `paths(forResourcesOfType:inDirectory:)` for models, or for the versions of one.
  public func _modelPaths(forResourcesOfType suffix: String?, inDirectory folder: String?) -> [String] {
    _modelURLs(forResourcesWithExtension: suffix, subdirectory: folder)?.map(\.path) ?? []
  }

  /// Returns what the bundle has; if that is nothing, and this is the main bundle, what `program` finds.
  private func found<Value>(_ own: Value?, _ name: String? = nil, _ program: () -> Value?) -> Value? {
    if let own { return own }
    if self == .main {
      if let value = program() { return value }
      // The model is there with another extension, which the caller will ask for next.
      if let name, ModelLocator.url(named: name) != nil { return nil }
    }
    KnownModels.logMissing(bundlePath)
    return nil
  }

  /// Returns the program's model with a name.
  private func program(_ name: String?, _ suffix: String?) -> URL? {
    guard let name else { return nil }
    let file = URL(fileURLWithPath: [name, suffix].compactMap { $0 }.joined(separator: "."))
    guard let url = ModelLocator.url(named: file.modelName), url.pathExtension == file.pathExtension else { return nil }
    return url
  }

  /// Returns the program's models with an extension, or the versions of one; nil if there are none.
  private func programs(_ suffix: String?, _ folder: String?) -> [URL]? {
    var models = BundleModels.program()
    if let folder { models = program(folder, nil).map(FileManager.default.files) ?? [] }
    if let suffix { models = models.filter { $0.pathExtension == suffix } }
    return models.isEmpty ? nil : models.sorted { $0.path < $1.path }
  }
}

extension FileManager {
  fileprivate func files(of folder: URL) -> [URL] {
    (try? contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  }
}
