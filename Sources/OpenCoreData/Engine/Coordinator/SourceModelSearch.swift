import Foundation

/// Finds the model that a store was made with.
enum SourceModelSearch {
  /// Looks in the bundles, in every version of their models, then in the store itself, at last among the models that the
  /// program works with. If several models fit, the one with the store's version identifiers is taken.
  ///
  /// The store's own copy comes before a model that the program happens to have: versions that differ only in renaming
  /// identifiers have the same hashes, and with another version's identifiers values would get into other columns.
  ///
  /// - Parameter cached: the copy of its model that the store keeps.
  /// - Returns: nil if no model has the entities of the metadata in those versions.
  static func model(_ metadata: [String: Any], cached: () throws -> NSManagedObjectModel?) -> NSManagedObjectModel? {
    guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty else { return nil }
    let inBundles = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata)
    let bundled = [inBundles].compactMap { $0 }.filter { has(hashes, $0) }
    if let named = bundled.first(where: { $0.hasVersionIdentifiers(of: metadata) }) { return named }
    // A copy that is damaged is ignored.
    let own = [try? cached()].compactMap { $0 }.filter { has(hashes, $0) }
    return (bundled + own + ModelRegistry.all.filter { has(hashes, $0) }).firstNamed(in: metadata)
  }

  /// Reads a store's metadata, and finds the model that the store was made with. If another program migrates the store between
  /// the two, the metadata are of the old version and the store's copy of its model is of the new one, or cannot be read at
  /// that moment: both are read again.
  ///
  /// - Returns: no model if none has the entities of the metadata, which are then those of the last reading.
  static func model(
    readingMetadata read: () throws -> [String: Any], cached: () throws -> NSManagedObjectModel?
  ) throws -> (model: NSManagedObjectModel?, metadata: [String: Any]) {
    var metadata = try read()
    var failures = 0
    while true {
      var isReadable = true
      let found = model(metadata) {
        do { return try cached() } catch {
          isReadable = false
          throw error
        }
      }
      if let found { return (found, metadata) }
      let before = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
      metadata = try read()
      guard metadata[NSStoreModelVersionHashesKey] as? [String: Data] == before else { continue }
      failures += isReadable ? mostFailures : 1
      if failures >= mostFailures { return (nil, metadata) }
    }
  }

  /// How often a copy is read that cannot be read: it may be damaged for good.
  private static let mostFailures = 3

  /// Whether a model has all entities of `hashes` in these versions.
  static func has(_ hashes: [String: Data], _ model: NSManagedObjectModel) -> Bool {
    let known = model.entityVersionHashesByName
    return hashes.allSatisfy { known[$0.key] == $0.value }
  }
}
