import Foundation

/// Writes the rows of a batch insert: with one INSERT that is prepared once, or, if another row has the same unique values,
/// with an UPDATE of that row.
final class BatchRowWriter {
  /// A column that the rows give a value for.
  struct Column {
    let slot: PropertySlot
    /// The position among the entity's columns.
    let position: Int
    /// The number of the INSERT's first variable for the column.
    let variable: Int32
    let name: String
    let isExternal: Bool
    let isDerived: Bool

    var holdsBytes: Bool { slot.kind == .data || slot.kind == .transformable }
  }

  let store: SQLiteStore
  let entity: SQLEntity
  let connection: SQLiteConnection
  let columns: ContiguousArray<Column>
  /// The slots and variables of the columns whose values are never bytes; these values are bound as they are.
  private let plain: ContiguousArray<(slot: Int, variable: Int32)>
  /// The columns whose values may be bytes.
  private let binary: ContiguousArray<Column>
  let policy: NSMergePolicyType
  let constraints: [UniquenessConstraint]
  /// The value of attributes that are derived from the present time.
  let now = Date().timeIntervalSinceReferenceDate
  let firstKey: Int64
  private let options: BatchOptions
  private let insert: SQLiteStatement
  private let computed: ContiguousArray<ComputedColumn>
  @exclusivity(unchecked) private var nextKey: Int64
  private(set) var history: BatchHistory?
  @exclusivity(unchecked) private var changes = BatchChanges()
  /// The references to files that the present row has, by slot.
  @exclusivity(unchecked) private(set) var files: [Int: Data] = [:]

  init(
    _ store: SQLiteStore, _ entity: SQLEntity, _ policy: NSMergePolicyType, _ options: BatchOptions,
    _ source: HistorySource, _ connection: SQLiteConnection
  ) throws {
    (self.store, self.entity, self.connection, self.policy, self.options) = (store, entity, connection, policy, options)
    history = BatchHistory(store, source, connection)
    constraints = UniquenessConstraint.all(of: entity.entity)
    computed = store.derivedPlans[entity.number - 1].computed
    firstKey = try store.lastKey(of: entity.root.number, connection) + 1
    nextKey = firstKey
    insert = try connection.statement(
      SQLRows(entity: entity).insertion.statement(store.schema.dialect).text)
    let layout = entity.entity.layout
    let plan = store.writePlans[entity.number - 1]
    var columns: ContiguousArray<Column> = []
    var variable: Int32 = 4
    for (position, column) in entity.columns.enumerated() {
      defer { variable += Int32(column.names.count) }
      for offset in column.names.indices { insert.bindNull(at: variable + Int32(offset)) }
      guard case .attribute(let attribute) = column, let slot = layout.slot(named: attribute.keyPath) else { continue }
      let isDerived = plan[position].slot == nil
      if isDerived, !computed.contains(where: { $0.position == position }) { continue }
      columns.append(
        Column(
          slot: slot, position: position, variable: variable, name: attribute.columnName,
          isExternal: plan[position].isExternal, isDerived: isDerived))
    }
    self.columns = columns
    plain = ContiguousArray(
      columns.lazy.filter { !$0.holdsBytes }.map { (slot: $0.slot.index, variable: $0.variable) })
    binary = columns.filter(\.holdsBytes)
    // These variables have the same values for all rows and stay bound.
    insert.bind(Int64(entity.number), at: 2)
    insert.bind(Int64(1), at: 3)
  }

  /// Writes the row that was read last.
  func write(_ row: BatchRows) throws {
    for derived in computed { row.set(value(of: derived, row), at: derived.slot.index) }
    if !files.isEmpty { files.removeAll() }
    insert.beginRow()
    insert.bind(nextKey, at: 1)
    for (slot, variable) in plain { insert.bind(plain: row.values[slot], at: variable) }
    for column in binary { try bind(row.values[column.slot.index], column, insert, at: column.variable) }
    if try insert.runIfUnique() {
      if options.rows { changes.inserted.append(BatchedRow(key: nextKey, number: entity.number)) }
      nextKey += 1
      changes.count += 1
    } else if let updated = try resolve(row) {
      changes.count += 1
      changes.roots.insert(entity.entity.layout.rootNumber)
      if options.rows { changes.updated.append(updated) }
    }
    if row.count & 0xFFF == 0 { store.noteTouchedRows(&changes, options, connection) }
  }

  /// Writes the last key and the history, and returns the changes.
  func finish() throws -> BatchChanges {
    if nextKey > firstKey {
      try store.setLastKey(nextKey - 1, of: entity.root.number, connection)
      try history?.noteInserts(of: entity, firstKey...nextKey - 1)
    }
    store.noteTouchedRows(&changes, options, connection)
    return changes
  }

  func value(of derived: ComputedColumn, _ row: BatchRows) -> StoredValue {
    guard let source = derived.source else { return .double(now) }
    return source.function.value(of: row.values[source.slot.index])
  }

  /// Runs the refused INSERT again to throw SQLite's error.
  func insertAgain() throws { try insert.run() }

  func noteUpdate(_ row: BatchedRow, _ properties: [String]) throws {
    try history?.noteUpdates(of: [row], properties: properties)
  }

  /// Removes the files of a row that is not written.
  func discardFiles() {
    for column in files.values { store.writer.external?.discard(column) }
    files.removeAll()
  }

  /// Binds a value. A large value is written to a file of its own, once for each row.
  @inline(__always)
  func bind(_ value: StoredValue, _ column: Column, _ statement: SQLiteStatement, at variable: Int32) throws {
    if column.isExternal, case .data(let data) = value, data.count > ExternalReference.threshold,
      let external = store.writer.external
    {
      let reference = try files[column.slot.index] ?? external.write(data)
      files[column.slot.index] = reference
      return statement.bind(reference, at: variable)
    }
    statement.bind(value, for: column.slot, at: variable)
  }
}
