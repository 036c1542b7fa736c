import Foundation

/// Finds the models that a reference may mean.
enum ModelReferenceSearch {
  typealias Place = NSManagedObjectModelReference.Place

  /// The models at a place, of all versions.
  static func candidates(_ place: Place) -> [NSManagedObjectModel] {
    switch place {
    case .model(let model): return [model]
    case .file(let url): return versions(of: url).compactMap { NSManagedObjectModel(contentsOf: $0) }
    case .named(let name, let bundle):
      return BundleModels.urls(in: bundle.map { [$0] }).flatMap { url in
        let versions = versions(of: url)
        return baseName(url) == name ? versions : versions.filter { baseName($0) == name }
      }.compactMap { NSManagedObjectModel(contentsOf: $0) }
    case .hashes(let hashes, let bundle):
      return BundleModels.urls(in: bundle.map { [$0] }).flatMap(versions)
        .compactMap { NSManagedObjectModel(contentsOf: $0) }.filter { $0.entityVersionHashesByName == hashes }
    }
  }

  /// Describes a place, for a message.
  static func text(_ place: Place) -> String {
    func text(_ bundle: Bundle?) -> String { bundle.map { "in \($0.bundlePath)" } ?? "in the program's bundles" }
    switch place {
    case .model(let model): return "at hand: the one that was given has \(model.versionChecksum)"
    case .file(let url): return "at \(url.path)"
    case .named(let name, let bundle): return "named \(name) \(text(bundle))"
    case .hashes(_, let bundle): return "and the given version hashes \(text(bundle))"
    }
  }

  /// Says which bundles have models, where the place is a bundle without one; else empty.
  static func known(_ place: Place) -> String {
    switch place {
    case .model, .file: ""
    case .named, .hashes: " " + KnownModels.text(of: BundleModels.urls(in: nil))
    }
  }

  private static func versions(of url: URL) -> [URL] { (try? ModelFile.versions(of: url)) ?? [] }

  private static func baseName(_ url: URL) -> String { url.deletingPathExtension().lastPathComponent }
}
