extension RelationalStore {
  /// Returns whether a to-many relationship writes its pairs. Both ends of a many-to-many relationship hold the same
  /// pairs; only the end whose column comes first in the table's key writes them.
  package func isWritingSide(_ slot: PropertySlot, _ toMany: SQLToMany, _ entity: SQLEntity) -> Bool {
    guard let inverse = slot.inverse, slot.inverseIsToMany, let destination = slot.destination,
      let back = schema.entity(for: destination)?.toManys[inverse.name]
    else { return true }
    if back.relationship === toMany.relationship { return true }
    guard case .join(let table, let source, _, _, _) = toMany.storage else { return false }
    return schema.tables.contains { $0.joinTables.contains { $0.name == table && $0.sourceColumn == source } }
  }
}
