import Foundation

/// Finds a model by its name, in the bundles that can be found on this platform.
enum ModelLocator {
  /// The extensions of model files, in the order of preference for a folder that has one model in several forms.
  static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

  /// - Throws: 260 with the folders that were searched and the models that are there, or the error of reading the model.
  static func model(named name: String) throws -> NSManagedObjectModel {
    if let url = url(named: name) { return try NSManagedObjectModel(validatingContentsOf: url) }
    throw NSError(
      coreData: CocoaError.Code.fileReadNoSuchFile.rawValue,
      "There is no \(name).momd, .mom, .xcdatamodeld or .xcdatamodel in "
        + "\(folders().map(\.path).joined(separator: ", ")). \(KnownModels.text(of: BundleModels.urls(in: nil)))")
  }

  /// Returns the program's model of that name.
  static func url(named name: String) -> URL? {
    let registered = RegisteredModels.urls.first { $0.modelName == name }
    return find(name, in: folders(), owners: RegisteredModels.modules[name] ?? [], registered: registered)
  }

  /// Returns the model of that name: in the main bundle, in a bundle of the modules that have registered one, where they
  /// registered it, and in other bundles, in this order. Packages build all their programs into one folder, and programs
  /// may have models of one name.
  /// - Parameters:
  ///   - owners: the modules of this program that have registered a model of that name.
  ///   - registered: where one of them did, if there is a file.
  static func find(_ name: String, in folders: [URL], owners: Set<String>, registered: URL?) -> URL? {
    let others = folders.filter { isOther($0, owners) }
    return find(name, in: folders.filter { !isOther($0, owners) }) ?? registered ?? find(name, in: others)
  }

  /// Whether a folder is the bundle of a module that is none of these. SwiftPM calls a bundle `Package_Target`, and the
  /// module has the target's name with underscores for what an identifier cannot have.
  static func isOther(_ folder: URL, _ owners: Set<String>) -> Bool {
    if folder.pathExtension != "resources" { return false }
    let name = String(folder.deletingPathExtension().lastPathComponent.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return !owners.contains { name.hasSuffix("_" + $0) }
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

extension URL {
  /// The name of the model that lies there.
  var modelName: String { deletingPathExtension().lastPathComponent }
}
