import Foundation

// Reads rows whose derived attributes the store has set, in the transaction that has written them.
extension SQLiteStore {
  /// Reads the written rows whose entity has derived attributes, and the rows that triggers have changed.
  func readDerived(_ plan: SavePlan, _ keys: inout SaveKeys, _ connection: SQLiteConnection) throws {
    let touched = connection.touchedRows.keys
    if !hasDerivedAttributes, touched.isEmpty { return }
    var wanted: [ObjectIdentifier: (root: SQLEntity, keys: Set<Int64>)] = [:]
    func want(_ keys: some Sequence<Int64>, of entity: SQLEntity) {
      let root = entity.root
      wanted[ObjectIdentifier(root), default: (root, [])].keys.formUnion(keys)
    }
    for rows in [plan.inserted, plan.updated] {
      for row in rows {
        let entity = try entity(row.layout.entity)
        if derivedPlans[entity.number - 1].isNeeded { want([row.primaryKey], of: entity) }
      }
    }
    for (number, keys) in touched {
      if let entity = schema.entity(number: Int(clamping: number)) { want(keys, of: entity) }
    }
    for (root, wanted) in wanted.values {
      let rows = try readRows(ContiguousArray(wanted.sorted()), codec(root), connection, commit: 0)
      keys.derivedRows[root.entity.layout.rootNumber] = Dictionary(
        rows.map { ($0.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the row cache's numbers of the root entities whose rows triggers have changed.
  func touchedRoots(_ connection: SQLiteConnection) -> [Int] {
    connection.touchedRows.keys.keys.compactMap {
      schema.entity(number: Int(clamping: $0))?.entity.layout.rootNumber
    }
  }
}
