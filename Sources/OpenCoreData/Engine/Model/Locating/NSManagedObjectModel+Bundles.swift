import Foundation
import OpenCocoaFoundation

extension NSManagedObjectModel {
  /// Makes a model of all models in bundles, each in its current version. For nil these are the main bundle and the
  /// places that `NSPersistentContainer(name:)` looks in.
  ///
  /// For programs that name no model. One that has exactly one model is better off with `NSPersistentContainer(name:)`,
  /// which says what is missing.
  ///
  /// ```swift
  /// let model = NSManagedObjectModel.mergedModel(from: [Bundle.module])
  /// print(model?.entities.compactMap(\.name) ?? [])  // ["Entry", "Page", "Tag"]
  /// ```
  ///
  /// Two different entities of one name stop the program.
  ///
  /// Differs from Apple (D-MOD-05): without any model the result is nil, not an empty model; and so where one of them
  /// cannot be read.
  /// - Parameter bundles: where to look; each bundle's resources at its top level.
  /// - Returns: a new model each time: keep it, since two models of one file make `entity()` ambiguous.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let models = BundleModels.urls(in: bundles).map { NSManagedObjectModel(contentsOf: $0) }
    guard models.allSatisfy({ $0 != nil }) else { return nil }
    return NSManagedObjectModel(byMerging: models.compactMap { $0 })
  }

  /// Makes a model of those entities in bundles, of any version of their models, that the metadata of a store state.
  ///
  /// Nil if the bundles' models lack one of them. Models that cannot be read are passed over.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    let versions = BundleModels.urls(in: bundles).flatMap { (try? ModelFile.versions(of: $0)) ?? [] }
    let models = versions.compactMap { NSManagedObjectModel(contentsOf: $0) }
    // One model with all entities is better than parts of several, which may differ in properties that no hash includes.
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
    guard bundles == nil else { return found }
    // Models that were built with a module, and are not beside the program, are found by their registration.
    let names = Set(found.map(name))
    return found + RegisteredModels.urls.filter { !names.contains(name($0)) }
  }

  private static func name(_ url: URL) -> String { url.deletingPathExtension().lastPathComponent }

  private static func urls(in folder: URL) -> [URL] {
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    let models = files.filter { ModelLocator.extensions.contains($0.pathExtension) }
    let byName = Dictionary(grouping: models, by: name)
    return byName.sorted { $0.key < $1.key }.compactMap { _, forms in
      forms.min { rank($0) < rank($1) }
    }
  }

  private static func rank(_ url: URL) -> Int { ModelLocator.extensions.firstIndex(of: url.pathExtension) ?? .max }
}
