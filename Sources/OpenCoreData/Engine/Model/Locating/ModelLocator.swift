import Foundation

/// Finds a model by its name, in the bundles that can be found on this platform.
enum ModelLocator {
  /// The extensions of model files, in the order of preference for a folder that has one model in several forms.
  static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

  /// - Throws: 260 with the folders that were searched, or the error of reading the model.
  static func model(named name: String) throws -> NSManagedObjectModel {
    let folders = folders()
    let registered = RegisteredModels.urls.first { $0.deletingPathExtension().lastPathComponent == name }
    if let url = find(name, in: folders) ?? registered { return try NSManagedObjectModel(validatingContentsOf: url) }
    throw NSError(
      coreData: CocoaError.Code.fileReadNoSuchFile.rawValue,
      "There is no \(name).momd, .mom, .xcdatamodeld or .xcdatamodel in "
        + folders.map(\.path).joined(separator: ", "))
  }

  private static func find(_ name: String, in folders: [URL]) -> URL? {
    for folder in folders {
      for suffix in extensions {
        let url = folder.appendingPathComponent("\(name).\(suffix)")
        if FileManager.default.fileExists(atPath: url.path) { return url }
      }
    }
    return nil
  }

  /// Returns the folders of the main bundle and of the resource bundles beside the executable. They are searched because
  /// Linux does not list the loaded bundles.
  static func folders() -> [URL] {
    let main = Bundle.main
    let beside = [main.bundleURL, main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
    var result = [main.resourceURL].compactMap { $0 } + beside
    for folder in beside {
      let entries = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
      result += entries.filter { $0.pathExtension == "resources" }.sorted { $0.path < $1.path }
    }
    var seen: Set<String> = []
    return result.filter { seen.insert($0.standardizedFileURL.path).inserted }
  }
}
