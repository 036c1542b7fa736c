import Foundation

/// How large a model may be. The places of an entity's properties have 16 bits.
package enum ModelLimits {
  /// The largest number of properties of an entity: its own and inherited attributes and relationships, a composite attribute
  /// and its elements each counted. Fetched properties do not count.
  package static let properties = Int(Int16.max)

  /// Makes sure that the objects of a model's entities can be laid out. Whatever opens or migrates a store asks this first,
  /// since a layout that cannot be made stops the program.
  /// - Throws: 134020 with the entity, the number of its properties and the limit.
  package static func check(_ model: NSManagedObjectModel) throws {
    guard let (entity, count) = oversized(model) else { return }
    let reason = reason(against: entity, count)
    throw NSError(
      coreData: NSPersistentStoreIncompatibleSchemaError, reason,
      [NSLocalizedFailureReasonErrorKey: reason, "entity": entity])
  }

  static func reason(against entity: String, _ count: Int) -> String {
    "The entity '\(entity)' has \(count) properties, with inherited ones and elements of composites; at most \(properties) "
      + "are possible."
  }

  /// Returns the first entity with too many properties, and their number; nil if there is none.
  static func oversized(_ model: NSManagedObjectModel) -> (entity: String, count: Int)? {
    // Few models have as many properties in all their entities together, and putting entities in order takes time.
    var total = 0
    for entity in model.entities { for property in entity.declaredProperties { total += slots(of: property) } }
    guard total > properties else { return nil }
    let entities = model.entitiesInStoreOrder
    var counts: [ObjectIdentifier: Int] = [:]
    for entity in entities {
      let inherited = Set((entity.superentity?.propertiesByName ?? [:]).keys)
      var count = entity.superentity.flatMap { counts[ObjectIdentifier($0)] } ?? 0
      for property in entity.declaredProperties where !inherited.contains(property.name) {
        count += slots(of: property)
      }
      if count > properties { return (entity.name ?? "", count) }
      counts[ObjectIdentifier(entity)] = count
    }
    return nil
  }

  private static func slots(of property: NSPropertyDescription) -> Int {
    // The usual classes are told by their types, because casts take longer, and every opening counts all properties.
    let type = type(of: property)
    if type == NSAttributeDescription.self || type == NSRelationshipDescription.self { return 1 }
    if property is NSFetchedPropertyDescription { return 0 }
    return ((property as? NSCompositeAttributeDescription)?.elements ?? []).reduce(1) { $0 + slots(of: $1) }
  }
}
