import Foundation
import OpenCocoaFoundation

extension NSManagedObjectModel {
  /// Makes a model of all models in bundles, each in its current version. Nil stands for the main bundle and the places
  /// that `NSPersistentContainer(name:)` looks in.
  ///
  /// Use it in programs that name no model. A program that has exactly one model better uses
  /// `NSPersistentContainer(name:)`, which says what is missing.
  ///
  /// ```swift
  /// let model = NSManagedObjectModel.mergedModel(from: [Bundle.module])
  /// print(model?.entities.compactMap(\.name) ?? [])  // ["Entry", "Page", "Tag"]
  /// ```
  ///
  /// Two different entities of one name stop the program.
  ///
  /// Differs from Apple (D-MOD-05): the result is nil, and not an empty model, if there is no model, or if one of the
  /// models cannot be read.
  /// - Parameter bundles: where to look; each bundle's resources at its top level.
  /// - Returns: a new model each time. Keep it, because two models of one file make `entity()` ambiguous.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let models = BundleModels.urls(in: bundles).map { NSManagedObjectModel(contentsOf: $0) }
    guard models.allSatisfy({ $0 != nil }) else { return nil }
    return NSManagedObjectModel(byMerging: models.compactMap { $0 })
  }

  /// Makes a model of the entities that the metadata of a store list, from any version of the models in bundles.
  ///
  /// Returns nil if the bundles' models lack one of these entities. Models that cannot be read are ignored.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    let versions = BundleModels.urls(in: bundles).flatMap { (try? ModelFile.versions(of: $0)) ?? [] }
    let models = versions.compactMap { NSManagedObjectModel(contentsOf: $0) }
    // One model that has all the entities is better than parts of several models: entities with equal hashes may still
    // differ in what no hash covers.
    let whole = models.filter { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
      .firstNamed(in: metadata)
    return whole ?? NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
  }
}

/// The models that bundles hold.
enum BundleModels {
  static func urls(in bundles: [Bundle]?) -> [URL] {
    let folders =
      bundles.map { $0.flatMap { [$0.resourceURL, $0.bundleURL].compactMap { $0 } } } ?? ModelLocator.folders()
    var seen: Set<String> = []
    let found = folders.filter { seen.insert($0.standardizedFileURL.path).inserted }.flatMap(urls)
    return bundles == nil ? own(found, owners: RegisteredModels.modules, registered: RegisteredModels.urls) : found
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
