import Foundation
internal import VersionHashing

extension NSManagedObjectModel {
  /// The version hash of each entity, by the entity's name: 32 bytes, computed from everything that determines how the
  /// entity's rows are stored. A store keeps the hashes to tell whether a model fits. Names of classes, default values,
  /// user info and validation rules of numbers and texts do not enter the hash;
  /// ``NSEntityDescription/versionHashModifier`` does.
  public final var entityVersionHashesByName: [String: Data] {
    // The lock is needed because another thread may be the first to use the model.
    lock.withLock {
      if isFrozen, let hashes = cachedVersionHashes { return hashes }
      let hashes = computeVersionHashes()
      if isFrozen { cachedVersionHashes = hashes }
      return hashes
    }
  }

  /// The hash of all entities' hashes, in base 64: equal for models whose stores are compatible.
  public final var versionChecksum: String { VersionHash.checksum(of: entityVersionHashesByName) }

  /// The digest of the names and hashes of all entities, as in a store's metadata (NSStoreModelVersionHashesDigest).
  package final var versionHashesDigest: String { VersionHash.digest(of: entityVersionHashesByName) }

  /// Whether the metadata of a store list exactly the entities of a configuration, or of the whole model for nil, in
  /// the same versions. If so, the store opens without a migration.
  ///
  /// Call it before a store is opened if a migration is to be announced, rehearsed or refused.
  ///
  /// ```swift
  /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
  ///   ofType: NSSQLiteStoreType, at: folder.appendingPathComponent("Diary.sqlite"))
  /// let model = container.managedObjectModel
  /// print(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))  // true
  /// print(NSManagedObjectModel().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))  // false
  /// ```
  ///
  /// The metadata must have every entity and no other, with equal hashes. A change that enters no hash, such as a new
  /// default value, needs no migration.
  /// - Parameters:
  ///   - configuration: the configuration that the store holds; nil for all entities.
  ///   - metadata: the metadata of a store, from
  ///     ``NSPersistentStoreCoordinator/metadataForPersistentStore(ofType:at:options:)`` or from an open store.
  /// - Returns: also false for metadata without version hashes.
  public final func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let entities = entities(forConfigurationName: configuration, heldByStoreWith: metadata),
      let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    else { return false }
    let names = Set(entities.compactMap(\.name))
    return entityVersionHashesByName.filter { names.contains($0.key) } == stored
  }

  /// Computes each hash once, superentities first. The function does not take the lock, because the caller may hold it.
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

/// The hashes that have been computed so far. A property that several subentities inherit is hashed only once.
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
