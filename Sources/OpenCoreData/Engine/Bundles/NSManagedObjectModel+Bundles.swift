import Foundation
import OpenCocoaFoundation

extension NSManagedObjectModel {
  /// Makes a model of all models in bundles, each in its current version. Nil stands for the main bundle and the places
  /// that `NSPersistentContainer(name:)` looks in. A main bundle without models stands for the models of the program's
  /// own targets, each of which has a bundle of its own (D-CTR-05).
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
  /// models cannot be read. Where there is none, a line of the log says which bundles have models.
  /// - Parameter bundles: where to look; each bundle's resources at its top level.
  /// - Returns: a new model each time. Keep it, because two models of one file make `entity()` ambiguous.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let urls = BundleModels.urls(in: bundles)
    if urls.isEmpty { KnownModels.logMissing(BundleModels.text(bundles)) }
    let models = urls.map { NSManagedObjectModel(contentsOf: $0) }
    guard models.allSatisfy({ $0 != nil }) else { return nil }
    return NSManagedObjectModel(byMerging: models.compactMap { $0 })
  }

  /// Makes a model of the entities that the metadata of a store list, from any version of the models in bundles.
  ///
  /// Returns nil if the bundles' models lack one of these entities. Models that cannot be read are ignored.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    let urls = BundleModels.urls(in: bundles)
    // Nil is also asked for by the framework itself, which says more than that.
    if urls.isEmpty, bundles != nil { KnownModels.logMissing(BundleModels.text(bundles)) }
    let versions = urls.flatMap { (try? ModelFile.versions(of: $0)) ?? [] }
    let models = versions.compactMap { NSManagedObjectModel(contentsOf: $0) }
    // One model that has all the entities is better than parts of several models: entities with equal hashes may still
    // differ in what no hash covers.
    let whole = models.filter { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
      .firstNamed(in: metadata)
    return whole ?? NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
  }
}
