/// The inferred migration of a stored relationship of an entity.
package struct RelationshipMigration {
  /// The differences; empty for a relationship that is stored as before.
  package struct Changes: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The source does not store the relationship.
    package static let added = Changes(rawValue: 1)
    package static let renamed = Changes(rawValue: 1 << 1)
    /// Another entity of the hierarchy declares the relationship, above or below the former one.
    package static let moved = Changes(rawValue: 1 << 2)
    /// The relationship was to-one and is to-many.
    package static let toMany = Changes(rawValue: 1 << 3)
    /// The relationship was to-many and is to-one.
    package static let toOne = Changes(rawValue: 1 << 4)
    /// The relationship has become ordered or unordered.
    package static let order = Changes(rawValue: 1 << 5)
    /// The destination is not the entity that the old destination has become.
    package static let destination = Changes(rawValue: 1 << 6)
    /// The inverse is not the relationship that the old inverse has become, or has been added or removed.
    package static let inverse = Changes(rawValue: 1 << 7)
    /// The relationship was optional and is mandatory.
    package static let mandatory = Changes(rawValue: 1 << 8)
  }

  /// The relationship in the source; nil if the source does not have it or does not store it.
  package let source: NSRelationshipDescription?
  package let destination: NSRelationshipDescription
  package let changes: Changes

  init(
    _ source: NSRelationshipDescription?, _ destination: NSRelationshipDescription,
    _ pairing: VersionPairing<NSEntityDescription>
  ) {
    self.source = source
    self.destination = destination
    guard let source else {
      changes = .added
      return
    }
    var changes: Changes = []
    if source.name != destination.name { changes.insert(.renamed) }
    if source.owner.flatMap(pairing.destination) !== destination.owner { changes.insert(.moved) }
    if source.isToMany != destination.isToMany { changes.insert(destination.isToMany ? .toMany : .toOne) }
    if source.isOrdered != destination.isOrdered { changes.insert(.order) }
    if source.destinationEntity.flatMap(pairing.destination) !== destination.destinationEntity {
      changes.insert(.destination)
    }
    if source.inverseRelationship?.canonicalName != destination.inverseRelationship?.canonicalName {
      changes.insert(.inverse)
    }
    if source.isOptional, !destination.isOptional { changes.insert(.mandatory) }
    self.changes = changes
  }
}
