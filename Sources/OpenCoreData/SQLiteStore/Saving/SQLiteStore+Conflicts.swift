import CSQLite
import Foundation

// Queries for a save that conflicts with rows that other contexts have written: for the versions of the rows, and for the
// rows that have values that must be unique.
extension SQLiteStore {
  /// Returns the versions of the rows of `keys`, with one statement. Rows that do not exist are left out.
  func readVersions(
    _ keys: ContiguousArray<Int64>, _ entity: SQLEntity, _ connection: SQLiteConnection
  ) throws -> [Int64: Int64] {
    let statement = try connection.statement(
      plans.text(.versions(entity.number)) { try SQLRows(entity: entity).versions.statement(schema.dialect) })
    if case .text(let list) = SQLValue(keys: keys) { statement.bind(list, at: 1) }
    var result: [Int64: Int64] = [:]
    result.reserveCapacity(keys.count)
    try collect(statement) { result[$0.int(0)] = $0.int(1) }
    return result
  }

  /// Makes sure that nobody has changed the rows that the save must check although it does not write them.
  /// - Throws: `RowConflict`.
  func checkLocked(_ rows: ContiguousArray<PlannedRow>, _ connection: SQLiteConnection) throws {
    var groups: [ObjectIdentifier: ContiguousArray<PlannedRow>] = [:]
    for row in rows { groups[ObjectIdentifier(row.layout), default: []].append(row) }
    for group in groups.values {
      let versions = try readVersions(
        ContiguousArray(group.map(\.key)), try entity(group[0].layout.entity), connection)
      for row in group where versions[row.key] != row.version {
        throw RowConflict(key: row.key, layout: row.layout)
      }
    }
  }

  // MARK: Values that must be unique

  /// The numbers of groups of values that the statements look up. If there are fewer values, the last group is repeated.
  private static let lookUpSizes = [1, 16, 64, 256]

  /// Returns the rows that have some of `values`, each with the place of its values among them.
  func selectRows(
    of constraint: UniquenessConstraint, having values: ContiguousArray<[StoredValue]>, transaction: ReadTransaction
  ) throws -> [FoundRow] {
    let entity = try entity(constraint.entity)
    let columns = entity.columns(of: constraint)
    guard columns.count == constraint.names.count else { return [] }
    var result: [FoundRow] = []
    try transaction.read(latest: false) { connection, _ in
      var start = 0
      while start < values.count {
        let left = values.count - start
        let size = Self.lookUpSizes.first { $0 >= left } ?? Self.lookUpSizes[Self.lookUpSizes.count - 1]
        let count = min(left, size)
        let statement = try connection.statement(
          plans.text(.uniqueValues(entity.number, columns.map(\.name), size)) {
            try SQLRows(entity: entity).lookUp(columns, groups: size).statement(schema.dialect)
          })
        for place in 0..<size {
          for (number, slot) in constraint.slots.enumerated() {
            let value = values[start + min(place, count - 1)][number]
            statement.bind(value, for: slot, at: Int32(place * columns.count + number + 1))
          }
        }
        try collect(statement) { row in
          guard row.int(0) < count else { return }
          result.append(FoundRow(place: start + Int(row.int(0)), key: row.int(1), number: Int(clamping: row.int(2))))
        }
        start += count
      }
    }
    return result
  }

  /// Removes the unique values that a row gives up.
  func vacate(_ values: VacatedValues, _ connection: SQLiteConnection) throws {
    let entity = values.entity
    let statement = try connection.statement(for: .vacating(entity.number, values.columns)) {
      try SQLRows(entity: entity).vacating(values.columns).statement(schema.dialect)
    }
    statement.bind(values.key, at: 1)
    try statement.run()
  }
}
