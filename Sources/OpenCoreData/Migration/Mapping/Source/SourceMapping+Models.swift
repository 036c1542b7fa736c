import Foundation

extension SourceMapping {
  /// How far above a mapping model its models are looked for.
  private static let mostLevels = 12

  /// Returns the model for a path in the project. It is searched beside the mapping model and in the folders above, as
  /// a source model or a compiled one; nil if it is not found.
  static func model(at path: String?, near mapping: URL) -> NSManagedObjectModel? {
    guard let path else { return nil }
    let parts = path.split(separator: "/").map(String.init)
    guard let version = parts.last, !parts.contains("..") else { return nil }
    // The project's folder is not known, so the whole path is tried first, and then the path without its first folders.
    let isVersion = parts.count > 1 && parts[parts.count - 2].hasSuffix(".xcdatamodeld")
    let shortest = isVersion ? 2 : 1
    var endings = (0...(parts.count - shortest)).map { parts.dropFirst($0).joined(separator: "/") }
    let compiled = (version as NSString).deletingPathExtension + ".mom"
    if isVersion {
      endings.append((parts[parts.count - 2] as NSString).deletingPathExtension + ".momd/" + compiled)
    }
    endings.append(compiled)
    var folder = mapping.standardizedFileURL.deletingLastPathComponent()
    for _ in 0..<mostLevels {
      for ending in endings {
        let url = folder.appendingPathComponent(ending)
        if FileManager.default.fileExists(atPath: url.path), let model = NSManagedObjectModel(contentsOf: url) {
          return model
        }
      }
      if folder.path == "/" { break }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }
}
