/// Which column of a row goes into which slot of an object, and as what.
///
/// Codecs, which know how a database gives the values of columns, share it. The statement reads the columns that every table has
/// first, then those of the entity's `SQLRowLayout`.
struct SQLRowShape {
  /// What becomes of one column.
  struct Column {
    /// Among the columns of the statement, from 0.
    let index: Int32
    let slot: Int
    let kind: ValueKind
    /// Whether the value has a byte in front that says whether it is inline or in a file.
    let isPrefixed: Bool
  }

  /// The columns before the first of the entity's own: key, number of the entity, version.
  static let fixedColumns = 3

  let layout: EntityLayout
  let columns: ContiguousArray<Column>

  /// The shape of rows of an entity.
  /// - Parameter places: where among the statement's own columns those of the entity are.
  init(_ entity: SQLEntity, at places: [Int]) {
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

/// The shapes of the rows that a statement for an entity gives, subentities' included.
struct SQLRowShapes {
  let own: SQLRowShape
  /// By the number of the row's entity; empty where all rows are of one.
  let byNumber: [Int: SQLRowShape]

  init(_ entity: SQLEntity, in model: SQLModel) {
    var all: [Int: SQLRowShape] = [:]
    for number in entity.numbers {
      guard let member = model.entity(number: number), let places = entity.rowLayout.positions[number] else { continue }
      all[number] = SQLRowShape(member, at: places)
    }
    byNumber = all.count > 1 ? all : [:]
    // `entity.numbers` has the number of the entity itself, so that the shape is there.
    own = all[entity.number] ?? SQLRowShape(entity, at: [])
  }
}
