import Foundation
internal import VersionHashing

extension NSManagedObjectModel {
  /// The version hash of each entity, by its name: 32 bytes over what decides how its rows are stored. A store keeps
  /// them to tell whether a model fits. Names of classes, default values, user info and validation rules of numbers and
  /// texts do not enter; ``NSEntityDescription/versionHashModifier`` does.
  public final var entityVersionHashesByName: [String: Data] {
    // Another thread may be the first to use the model.
    lock.withLock {
      if isFrozen, let hashes = cachedVersionHashes { return hashes }
      let hashes = computeVersionHashes()
      if isFrozen { cachedVersionHashes = hashes }
      return hashes
    }
  }

  /// The hash of all entities' hashes, in base 64: equal for models whose stores are compatible.
  public final var versionChecksum: String { VersionHash.checksum(of: entityVersionHashesByName) }

  /// The digest of all entities' names and hashes that a store's metadata states (NSStoreModelVersionHashesDigest).
  package final var versionHashesDigest: String { VersionHash.digest(of: entityVersionHashesByName) }

  /// Whether the entities of a configuration, or of the whole model for nil, are those that the metadata of a store
  /// state, in the same versions: whether the store opens without a migration.
  ///
  /// Ask before opening where a migration is to be announced, rehearsed or refused.
  ///
  /// ```swift
  /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
  ///   ofType: NSSQLiteStoreType, at: folder.appendingPathComponent("Diary.sqlite"))
  /// let model = container.managedObjectModel
  /// print(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))  // true
  /// print(NSManagedObjectModel().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))  // false
  /// ```
  ///
  /// Every entity must be there and no other, with equal hashes. Changes that no hash counts, as of a default value,
  /// need no migration.
  /// - Parameters:
  ///   - configuration: the configuration that the store holds; nil for all entities.
  ///   - metadata: what ``NSPersistentStoreCoordinator/metadataForPersistentStore(ofType:at:options:)`` or an open
  ///     store gives.
  /// - Returns: false for metadata without version hashes, too.
  public final func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let entities = entities(forConfigurationName: configuration, heldByStoreWith: metadata),
      let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    else { return false }
    let names = Set(entities.compactMap(\.name))
    return entityVersionHashesByName.filter { names.contains($0.key) } == stored
  }

  /// Computes each hash once, superentities first. Does not take the lock: the caller may hold it.
  private final func computeVersionHashes() -> [String: Data] {
    var known = KnownHashes()
    var result: [String: Data] = [:]
    for entity in entitiesInStoreOrder {
      let hash = entity.computeVersionHash(
        superentityHash: entity.parent.flatMap { known.entities[ObjectIdentifier($0)] }, &known)
      known.entities[ObjectIdentifier(entity)] = hash
      if let name = entity.name { result[name] = hash }
    }
    return result
  }
}

/// The hashes that were computed on the way, so that what subentities inherit is hashed once.
struct KnownHashes {
  var entities: [ObjectIdentifier: Data] = [:]
  private var properties: [ObjectIdentifier: Data] = [:]

  mutating func hash(of property: NSPropertyDescription) -> Data {
    if let hash = properties[ObjectIdentifier(property)] { return hash }
    let hash = property.versionHash
    properties[ObjectIdentifier(property)] = hash
    return hash
  }
}
