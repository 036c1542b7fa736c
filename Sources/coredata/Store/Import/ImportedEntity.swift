import CoreData
@_spi(Store) import OpenCoreData

/// An entity of an import with all that is looked up of it for each record.
struct ImportedEntity {
  let entity: NSEntityDescription
  /// The name of its root entity.
  let root: String
  var attributes: ImportedNames<Attribute>
  var relationships: ImportedNames<Relationship>

  final class Attribute {
    let attribute: NSAttributeDescription
    let slot: PropertySlot
    let kind: ValueKind
    /// Whether the store computes the value.
    let isDerived: Bool

    fileprivate init(_ attribute: NSAttributeDescription, _ slot: PropertySlot) {
      (self.attribute, self.slot, kind) = (attribute, slot, slot.kind)
      isDerived = attribute is NSDerivedAttributeDescription
    }
  }

  final class Relationship {
    let relationship: NSRelationshipDescription
    let slot: PropertySlot
    let isOrdered: Bool
    /// By the numbers of the entities, whether their objects can be members.
    let takes: [Bool]
    /// What tells the pair of the relationship and its inverse from other pairs, and whether the relationship is the first of
    /// the two. Nil where what the two sides say need not fit: for relationships between two objects, and without inverse.
    let pair: (id: ObjectIdentifier, isFirst: Bool, isItsOwn: Bool)?

    fileprivate init(_ relationship: NSRelationshipDescription, _ slot: PropertySlot, _ entities: [NSEntityDescription])
    {
      (self.relationship, self.slot, isOrdered) = (relationship, slot, relationship.isOrdered)
      takes = entities.map { entity in relationship.destinationEntity.map { entity.isKindOf(entity: $0) } ?? false }
      guard let inverse = relationship.inverseRelationship, relationship.isToMany || inverse.isToMany else {
        pair = nil
        return
      }
      let names = [relationship, inverse].map { "\($0.entity.name ?? "").\($0.name)" }
      let isFirst = names[0] <= names[1]
      pair = (ObjectIdentifier(isFirst ? relationship : inverse), isFirst, relationship === inverse)
    }
  }

  /// - Parameter entities: all entities of the model, in the order of their numbers.
  init(_ entity: NSEntityDescription, of entities: [NSEntityDescription]) {
    self.entity = entity
    root = entity.root.name ?? ""
    let layout = entity.layout
    attributes = ImportedNames(
      entity.attributesByName.compactMapValues { attribute in
        attribute.isTransient ? nil : layout.slot(named: attribute.name).map { Attribute(attribute, $0) }
      })
    relationships = ImportedNames(
      entity.relationshipsByName.compactMapValues { relationship in
        relationship.isTransient
          ? nil : layout.slot(named: relationship.name).map { Relationship(relationship, $0, entities) }
      })
  }
}

extension NSEntityDescription {
  /// The topmost of the entities that the entity inherits from.
  fileprivate var root: NSEntityDescription { superentity?.root ?? self }
}
