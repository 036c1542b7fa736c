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
  /// Of models that fit a store the first one that has its version identifiers, or else the first.
  package func firstNamed(in metadata: [String: Any]) -> NSManagedObjectModel? {
    first { $0.hasVersionIdentifiers(of: metadata) } ?? first
  }
}
