/// An element of a model's XML, and the meaning of its attributes.
struct ModelElement {
  var name: String
  var attributes: [String: String]
  var place: ModelPlace

  /// The value of an attribute; nil for an empty one.
  subscript(_ attribute: String) -> String? { attributes[attribute].flatMap { $0.isEmpty ? nil : $0 } }

  func flag(_ attribute: String) -> Bool { ["YES", "true", "1"].contains(attributes[attribute]) }

  func entity() -> EntitySource? {
    guard let name = self["name"] else { return nil }
    var entity = EntitySource(name: name, place: place, className: self["representedClassName"])
    entity.parent = self["parentEntity"]
    switch self["codeGenerationType"] {
    case "class": entity.generation = .definition
    case "category": entity.generation = .category
    default: entity.generation = .manual
    }
    return entity
  }

  func attribute() -> AttributeSource? {
    guard let name = self["name"] else { return nil }
    var attribute = AttributeSource(
      name: name, place: place, type: self["attributeType"], isTransient: flag("transient"),
      isScalar: flag("usesScalarValueType"), customClassName: self["customClassName"], composite: self["composite"])
    attribute.defaultValue = attributes["defaultValueString"]
    return attribute
  }

  func reference(_ attribute: String) -> ModelReference {
    ModelReference(name: attributes[attribute] ?? "", place: place)
  }

  func relationship() -> RelationshipSource? {
    guard let name = self["name"] else { return nil }
    // This is the framework's rule: a relationship is to-many unless its maximum count is 1.
    let isToMany = self["maxCount"].map { $0 != "1" } ?? flag("toMany")
    return RelationshipSource(
      name: name, place: place, destination: self["destinationEntity"], inverseName: self["inverseName"],
      inverseEntity: self["inverseEntity"], isToMany: isToMany, isOrdered: flag("ordered"))
  }
}
