import Foundation

/// Sets an attribute to the value of an expression, converted to a value that the attribute can have.
struct MappedAttribute {
  private let object: NSManagedObject
  private let name: String
  private let mapping: NSEntityMapping

  init(_ object: NSManagedObject, _ name: String, _ mapping: NSEntityMapping) {
    (self.object, self.name, self.mapping) = (object, name, mapping)
  }

  /// Converts numbers of another type as a lightweight migration does. Leaves a derived attribute alone, which the
  /// store computes.
  /// - Throws: 134110 for a value that the attribute cannot have.
  func set(_ value: Any?) throws {
    guard let slot = object.layout.slot(named: name), !slot.kind.isRelationship else {
      throw error("the destination entity has no such attribute", name)
    }
    if slot.property is NSDerivedAttributeDescription { return }
    try set(value, slot)
  }

  private func set(_ value: Any?, _ slot: PropertySlot) throws {
    guard slot.kind == .composite else { return object.setValue(try stored(value, slot), slot) }
    let values: [String: Any]
    switch StoredValue.unwrapped(value) {
    case nil: values = [:]
    case let dictionary as [String: Any]: values = dictionary
    case let other?: throw error("a composite attribute cannot be \(type(of: other))", slot.name)
    }
    let elements = object.layout.elements(of: slot)
    if let unknown = values.keys.sorted().first(where: { name in !elements.contains { $0.property.name == name } }) {
      throw error("the composite attribute has no element “\(unknown)”", slot.name)
    }
    for element in elements { try set(values[element.property.name], element) }
  }

  private func stored(_ value: Any?, _ slot: PropertySlot) throws -> StoredValue {
    var value = StoredValue.unwrapped(value)
    if let given = value, slot.kind != .anything, slot.kind != .transformable,
      let number = AttributeMigration.number(given)
    {
      value = AttributeMigration.converted(number, to: slot.attribute.attributeType)
      if value == nil {
        throw error("a number is out of the range of \(slot.attribute.attributeType.name)", slot.name)
      }
    }
    if let stored = StoredValue.converted(value, for: slot) { return stored }
    let given = value.map { "\(type(of: $0))" } ?? "nil"
    throw error("a value of the type \(given) cannot be \(slot.attribute.attributeType.name)", slot.name)
  }

  private func error(_ reason: String, _ property: String) -> NSError {
    MigrationFailure.error(reason, entity: object.layout.name, property: property, mapping: mapping)
  }
}
