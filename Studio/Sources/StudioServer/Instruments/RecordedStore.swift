import CoreData

/// A store of the studio that a recording refers to: its name in the studio, and the kinds of its properties.
struct RecordedStore: Sendable {
  enum Kind: Sendable { case text, number, date, flag, object, other }

  let name: String
  /// The kinds of properties, by entity and property.
  let entities: [String: [String: Kind]]
  /// The destinations of relationships, by entity and relationship.
  let destinations: [String: [String: String]]

  init(_ name: String, _ model: NSManagedObjectModel) {
    self.name = name
    entities = model.entitiesByName.mapValues { entity in
      entity.propertiesByName.mapValues { property in
        guard let attribute = property as? NSAttributeDescription else { return .object }
        switch attribute.attributeType {
        case .stringAttributeType: return .text
        case .dateAttributeType: return .date
        case .booleanAttributeType: return .flag
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
          .floatAttributeType, .decimalAttributeType:
          return .number
        default: return .other
        }
      }
    }
    destinations = model.entitiesByName.mapValues {
      $0.relationshipsByName.compactMapValues { $0.destinationEntity?.name }
    }
  }

  /// Returns the kind of value at the end of a key path.
  func kind(_ keyPath: String, of entity: String) -> Kind? {
    var entity = entity
    let keys = keyPath.split(separator: ".").map(String.init)
    for key in keys.dropLast() {
      guard let next = destinations[entity]?[key] else { return nil }
      entity = next
    }
    return keys.last.flatMap { entities[entity]?[$0] }
  }
}
