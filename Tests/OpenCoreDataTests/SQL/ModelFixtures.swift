import Foundation

@_spi(Store) @testable import OpenCoreData

/// Makes an attribute.
func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.attributeType = type
  return attribute
}

/// Makes a relationship; `destination` and inverse follow with `connect`.
func relationship(_ name: String, toMany: Bool = false, ordered: Bool = false) -> NSRelationshipDescription {
  let relationship = NSRelationshipDescription()
  relationship.name = name
  relationship.maxCount = toMany ? 0 : 1
  relationship.isOrdered = ordered
  return relationship
}

/// Makes an entity.
func entity(
  _ name: String, _ properties: [NSPropertyDescription] = [], subentities: [NSEntityDescription] = []
) -> NSEntityDescription {
  let entity = NSEntityDescription()
  entity.name = name
  entity.subentities = subentities
  entity.properties = properties
  return entity
}

/// Makes two relationships each other's inverse.
func connect(_ first: NSRelationshipDescription, _ second: NSRelationshipDescription) {
  first.destinationEntity = second.owner
  second.destinationEntity = first.owner
  first.inverseRelationship = second
  second.inverseRelationship = first
}

func makeModel(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
  let model = NSManagedObjectModel()
  model.entities = entities
  model.freeze()
  return model
}
