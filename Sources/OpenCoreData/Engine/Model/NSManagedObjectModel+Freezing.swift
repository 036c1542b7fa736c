extension NSManagedObjectModel {
  /// Makes the model immutable, and computes the tables that look-ups need. A coordinator calls this; only the first
  /// call has an effect.
  final func freeze() {
    lock.lock()
    defer { lock.unlock() }
    guard !isFrozen else { return }
    storedEntitiesByName = entitiesByName
    let order = entitiesInStoreOrder
    storedStoreOrder = order
    for (position, entity) in order.enumerated() {
      entity.storeNumber = position + 1
      entity.lookup = EntityLookup(entity.properties)
    }
    RelationshipEnds.find(in: order)
    for entity in order {
      for property in entity.declaredProperties { property.freezeTree() }
      for index in entity.indexes {
        index.isFrozen = true
        for element in index.elements {
          element.isFrozen = true
          (element.storedProperty as? NSExpressionDescription)?.isFrozen = true
        }
      }
      entity.isFrozen = true
    }
    isFrozen = true
  }

  /// The entities as a store numbers them (Z_ENT), from 1: roots sorted by name without regard to case, each followed
  /// by its subentities, which are sorted in the same way.
  final var entitiesInStoreOrder: [NSEntityDescription] {
    storedStoreOrder
      ?? storedEntities.filter { $0.parent == nil }.sorted(by: NSEntityDescription.precedesInStore)
      .flatMap { [$0] + $0.allSubentities }
  }
}

extension NSPropertyDescription {
  /// Freezes the property and, if it is a composite attribute, its elements.
  final func freezeTree() {
    isFrozen = true
    for element in (self as? NSCompositeAttributeDescription)?.elements ?? [] { element.freezeTree() }
  }
}
