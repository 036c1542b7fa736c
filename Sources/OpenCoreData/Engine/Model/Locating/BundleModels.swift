import Foundation

/// The models that bundles hold.
enum BundleModels {
  /// Returns the models in the bundles; for nil those beside the program.
  ///
  /// On Apple's systems an application's main bundle has the models of its target. Here each target of a package has a
  /// bundle of its own, and the main bundle has none: it stands for those of the program's targets.
  static func urls(in bundles: [Bundle]?) -> [URL] {
    guard let bundles else {
      return own(
        urls(in: ModelLocator.folders()), owners: RegisteredModels.modules, registered: RegisteredModels.urls)
    }
    let named = urls(in: folders(of: bundles))
    guard bundles.contains(.main), urls(in: folders(of: [.main])).isEmpty else { return named }
    let names = Set(named.map(\.modelName))
    return named + program().filter { !names.contains($0.modelName) }
  }

  /// Returns the models that the program's targets have registered; all models beside the program if there are none.
  static func program() -> [URL] {
    let models = urls(in: nil)
    let own = Set(RegisteredModels.modules.keys)
    return own.isEmpty ? models : models.filter { own.contains($0.modelName) }
  }

  /// Returns the models without those of other programs that have the name of a registered one, and with the registered
  /// ones that do not lie beside the program.
  static func own(_ found: [URL], owners: [String: Set<String>], registered: [URL]) -> [URL] {
    let own = found.filter { url in
      owners[url.modelName].map { !ModelLocator.isOther(url.deletingLastPathComponent(), $0) } ?? true
    }
    let names = Set(own.map(\.modelName))
    let missing = registered.filter { !names.contains($0.modelName) }
    // Where no file of an own model is left, another bundle's of that name is the program's, under another name.
    let known = names.union(missing.map(\.modelName))
    return own + missing + found.filter { !known.contains($0.modelName) }
  }

  /// Names the places of bundles, for a message.
  static func text(_ bundles: [Bundle]?) -> String {
    bundles.map { $0.isEmpty ? "an empty list of bundles" : $0.map(\.bundlePath).joined(separator: ", ") }
      ?? "the program's bundles"
  }

  static func folders(of bundles: [Bundle]) -> [URL] {
    bundles.flatMap { [$0.resourceURL, $0.bundleURL].compactMap { $0 } }
  }

  private static func urls(in folders: [URL]) -> [URL] {
    var seen: Set<String> = []
    return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }.flatMap(urls)
  }

  private static func urls(in folder: URL) -> [URL] {
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    let models = files.filter { ModelLocator.extensions.contains($0.pathExtension) }
    let byName = Dictionary(grouping: models, by: \.modelName)
    return byName.sorted { $0.key < $1.key }.compactMap { _, forms in
      forms.min { rank($0) < rank($1) }
    }
  }

  private static func rank(_ url: URL) -> Int { ModelLocator.extensions.firstIndex(of: url.pathExtension) ?? .max }
}
