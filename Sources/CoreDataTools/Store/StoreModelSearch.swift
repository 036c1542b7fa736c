import CommandSupport
import Foundation
import OpenCoreData

/// Finds the model of a store among several models.
///
/// A SQLite store and a store in a server keep a copy of their model. A store in one XML or binary file keeps no copy, and
/// neither does a SQLite file of an old version of Apple's framework.
public enum StoreModelSearch {
  /// Finds the model of a store that keeps no copy of it.
  /// - Parameters:
  ///   - url: The place of the store.
  ///   - models: Models that may be the store's. They are read only if the store keeps no copy of its model.
  /// - Returns: the model whose entities have the versions with which the store was written; nil if the store keeps a copy.
  /// - Throws: a `ToolError` if none of the models is the store's, or the store cannot be read.
  public static func model(
    of url: URL, among models: () throws -> [NSManagedObjectModel]
  ) throws -> NSManagedObjectModel? {
    let kind = try StoreKind.of(url)
    try kind.requireStore(url)
    let keepsModel: Bool
    let metadata: [String: Any]
    if kind.isSQLite {
      (keepsModel, metadata) = try StoreAccess(url).read(need: .metadata) { ($0.model != nil, $0.metadata) }
    } else {
      keepsModel = try kind.keptModel(url) != nil
      metadata = keepsModel ? [:] : try kind.metadata(url)
    }
    if keepsModel { return nil }
    let candidates = try models()
    let found = candidates.first { model in
      ([nil] + model.configurations).contains {
        model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
      }
    }
    if let found { return found }
    let entities = (metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() ?? []
    throw ToolError(
      "The store \(url.shown) keeps no copy of its model, which has the entities \(entities.joined(separator: ", ")). "
        + (candidates.isEmpty
          ? "Name its model's file (.xcdatamodeld, .momd or .mom) beside the store."
          : "None of the models that were given has them in the versions that the store was written with."))
  }
}
