import Foundation

/// Finds the model that a store was made with.
enum SourceModelSearch {
  /// Looks in the bundles, in every version of their models, then among the models that the program works with, at last in
  /// the store itself. Of several that fit, the one that has the store's version identifiers is taken.
  ///
  /// - Parameter cached: the model that the store keeps of its own.
  /// - Returns: nil where none has the entities that the metadata state, in those versions.
  static func model(_ metadata: [String: Any], cached: () throws -> NSManagedObjectModel?) -> NSManagedObjectModel? {
    guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty else { return nil }
    let inBundles = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata)
    let known = ([inBundles].compactMap { $0 } + ModelRegistry.all).filter { has(hashes, $0) }
    if let named = known.first(where: { $0.hasVersionIdentifiers(of: metadata) }) { return named }
    // A copy that is damaged is none.
    guard let own = try? cached(), has(hashes, own) else { return known.first }
    return (known + [own]).firstNamed(in: metadata)
  }

  /// Whether a model has all of these entities in these versions.
  private static func has(_ hashes: [String: Data], _ model: NSManagedObjectModel) -> Bool {
    let known = model.entityVersionHashesByName
    return hashes.allSatisfy { known[$0.key] == $0.value }
  }
}
