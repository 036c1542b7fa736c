import Foundation
internal import VersionHashing

extension NSManagedObjectModel {
  /// The version hash of each entity, by its name. A store keeps them to tell whether a model fits.
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
  /// state, in the same versions.
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
