extension NSPersistentStore {
  /// Identifies a to-many relationship by the entity that declares it, so that subentities share its cache.
  package final func relationID(_ layout: EntityLayout, _ slot: PropertySlot) -> RelationID {
    RelationID(entityNumber: Int(slot.declaringNumber), name: slot.name)
  }
}
