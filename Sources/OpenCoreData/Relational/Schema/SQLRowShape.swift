/// The slot of an object into which each column of a row goes, and the kind of its value.
///
/// Codecs, which know how a database returns the values of columns, share the shape. The statement reads the columns
/// that every table has first, then those of the entity's `SQLRowLayout`.
package struct SQLRowShape {
  /// One column and the slot that takes its value.
  package struct Column {
    /// The index among the columns of the statement, from 0.
    package let index: Int32
    package let slot: Int
    package let kind: ValueKind
    /// Whether the value has a byte in front that says whether it is inline or in a file.
    package let isPrefixed: Bool
  }

  /// The columns before the first of the entity's own: key, number of the entity, version.
  package static let fixedColumns = 3

  package let layout: EntityLayout
  package let columns: ContiguousArray<Column>

  /// The shape of rows of an entity.
  /// - Parameter places: the positions of the entity's columns among the columns after the fixed ones.
  package init(_ entity: SQLEntity, at places: [Int]) {
    let layout = entity.entity.layout
    var result: ContiguousArray<Column> = []
    var next = 0
    for column in entity.columns {
      let count = column.names.count
      defer { next += count }
      guard let slot = layout.slot(named: column.propertyName), !slot.isTransient else { continue }
      let index = Int32(places[next] + Self.fixedColumns)
      result.append(
        Column(index: index, slot: slot.index, kind: slot.kind, isPrefixed: slot.allowsExternalFile))
      if count > 1, slot.entityIndex >= 0 {
        let index = Int32(places[next + 1] + Self.fixedColumns)
        result.append(Column(index: index, slot: slot.entityIndex, kind: .int32, isPrefixed: false))
      }
    }
    self.layout = layout
    columns = result
  }
}

/// The shapes of the rows that a statement for an entity returns, including rows of subentities.
package struct SQLRowShapes {
  package let own: SQLRowShape
  /// The shapes by the number of the row's entity; empty if all rows are of one entity.
  package let byNumber: [Int: SQLRowShape]

  package init(_ entity: SQLEntity, in model: SQLModel) {
    var all: [Int: SQLRowShape] = [:]
    for number in entity.numbers {
      guard let member = model.entity(number: number), let places = entity.rowLayout.positions[number] else { continue }
      all[number] = SQLRowShape(member, at: places)
    }
    byNumber = all.count > 1 ? all : [:]
    // `entity.numbers` contains the number of the entity itself, so the shape exists.
    own = all[entity.number] ?? SQLRowShape(entity, at: [])
  }
}
