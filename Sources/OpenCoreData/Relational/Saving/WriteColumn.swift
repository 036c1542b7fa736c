/// A column of an entity's row, and the place of its value in a planned row.
package struct WriteColumn {
  /// Nil for a column that is computed or that saves leave NULL.
  package let slot: PropertySlot?
  package let kind: ValueKind
  /// The index of the value in a planned row.
  package let index: Int
  /// The index in a planned row of the number of the member's entity, which is written after a to-one key; -1 if there
  /// is none.
  package let entityIndex: Int
  /// The number of columns: 2 for a to-one key that is followed by the number of the member's entity.
  package let width: Int
  /// Whether a large value goes to a file of its own. A byte in front of the data then says where the data is.
  package let isExternal: Bool

  package init(_ slot: PropertySlot?, width: Int) {
    self.slot = slot
    self.width = width
    kind = slot?.kind ?? .anything
    index = slot?.index ?? -1
    entityIndex = slot?.entityIndex ?? -1
    isExternal = slot?.allowsExternalFile ?? false
  }
}

extension WriteColumn {
  /// The columns of an entity's rows, in their order.
  package static func all(of entity: SQLEntity) -> ContiguousArray<WriteColumn> {
    let layout = entity.entity.layout
    return ContiguousArray(
      entity.columns.lazy.map { column in
        let slot = layout.slot(named: column.propertyName)
        let isComputed = slot?.property is NSDerivedAttributeDescription
        return WriteColumn(isComputed ? nil : slot, width: column.names.count)
      })
  }
}
