import Foundation

/// The inferred migration of an entity. `source` is nil if the entity was added, `destination` if it was removed.
package struct EntityMigration {
  package enum Kind: String, Sendable {
    /// The entity is new and has no rows yet.
    case added
    /// The entity is removed, with its rows.
    case removed
    /// The entity is the same in both versions in everything that a store depends on.
    case copied
    /// The entity has another version hash: for example it was renamed or moved in its hierarchy, or its properties
    /// differ.
    case transformed
  }

  package let kind: Kind
  package let source: NSEntityDescription?
  package let destination: NSEntityDescription?
  /// The version hashes.
  package let hashes: (source: Data?, destination: Data?)
  /// The attributes that the destination stores, inherited ones included, by name.
  package let attributes: [AttributeMigration]
  /// The relationships that the destination stores, inherited ones included, by name.
  package let relationships: [RelationshipMigration]
  /// The properties that the source stores and the destination does not, inherited ones included, by name.
  package let removedProperties: [NSPropertyDescription]
  /// Whether the superentity has changed, or has been added or removed.
  package let hasOtherParent: Bool
  /// Whether the rows go into another table, because the topmost entity of the hierarchy has changed.
  package let hasOtherRoot: Bool

  /// The name in the destination, or in the source if the entity was removed.
  package var name: String { destination?.name ?? source?.name ?? "" }

  /// Whether a store may have rows of exactly this entity that are to be kept.
  package var keepsRows: Bool { destination != nil && source.map { !$0.isAbstract } ?? false }

  init(
    _ source: NSEntityDescription?, _ destination: NSEntityDescription?, hashes: (source: Data?, destination: Data?),
    _ pairing: VersionPairing<NSEntityDescription>
  ) {
    self.source = source
    self.destination = destination
    self.hashes = hashes
    switch (source, destination) {
    case (nil, _): kind = .added
    case (_, nil): kind = .removed
    default: kind = hashes.source == hashes.destination ? .copied : .transformed
    }
    let pairs = VersionPairing(Self.stored(source), Self.stored(destination)).pairs
    attributes = pairs.compactMap { pair in
      (pair.destination as? NSAttributeDescription).map {
        AttributeMigration(pair.source as? NSAttributeDescription, $0, pairing)
      }
    }
    relationships = pairs.compactMap { pair in
      (pair.destination as? NSRelationshipDescription).map {
        RelationshipMigration(pair.source as? NSRelationshipDescription, $0, pairing)
      }
    }
    removedProperties = pairs.compactMap { $0.destination == nil ? $0.source : nil }
    guard let source, let destination else {
      (hasOtherParent, hasOtherRoot) = (false, false)
      return
    }
    hasOtherParent =
      source.superentity.map { pairing.destination(of: $0) !== destination.superentity }
      ?? (destination.superentity != nil)
    hasOtherRoot = pairing.destination(of: source.rootEntity) !== destination.rootEntity
  }

  /// The properties of an entity that stores keep: all but transient and fetched ones.
  private static func stored(_ entity: NSEntityDescription?) -> [NSPropertyDescription] {
    (entity?.propertiesByName.values).map { properties in
      properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
    } ?? []
  }
}
