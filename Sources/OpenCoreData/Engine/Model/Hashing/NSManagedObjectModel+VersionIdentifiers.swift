import Foundation

extension NSManagedObjectModel {
  /// Whether the model has the version identifiers that a store was made with. Versions whose entities have equal hashes are
  /// told apart by them.
  package final func hasVersionIdentifiers(of metadata: [String: Any]) -> Bool {
    let stored = metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []
    return Set(stored.compactMap { $0 as? AnyHashable }) == versionIdentifiers
  }
}

extension Collection where Element == NSManagedObjectModel {
  /// The first of the models, all of which fit a store, that has the store's version identifiers, or else the first one.
  package func firstNamed(in metadata: [String: Any]) -> NSManagedObjectModel? {
    first { $0.hasVersionIdentifiers(of: metadata) } ?? first
  }
}
