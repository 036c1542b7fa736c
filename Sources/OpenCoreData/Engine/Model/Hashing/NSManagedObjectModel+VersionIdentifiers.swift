import Foundation

extension NSManagedObjectModel {
  /// Whether the model has the version identifiers that a store was made with. The identifiers distinguish versions
  /// whose entities have equal hashes.
  package final func hasVersionIdentifiers(of metadata: [String: Any]) -> Bool {
    let stored = metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []
    return Set(stored.compactMap { $0 as? AnyHashable }) == versionIdentifiers
  }
}

extension Collection where Element == NSManagedObjectModel {
  /// Returns the first model with the version identifiers of a store or, if there is none, the first model. All models
  /// of the collection fit the store.
  package func firstNamed(in metadata: [String: Any]) -> NSManagedObjectModel? {
    first { $0.hasVersionIdentifiers(of: metadata) } ?? first
  }
}
