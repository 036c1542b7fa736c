import CSQLite
import Foundation
import OpenCocoaFoundation

// Fetches of dictionaries. They read single columns and computed values, and give no objects and no rows for the cache.
extension SQLiteStore {
  /// Returns the dictionaries of a fetch, in its order.
  func selectDictionaries(_ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction) throws
    -> [[String:
    Any]]
  {
    let plan = try valuesPlan(target, query)
    let decoders = decoders(plan.kinds, query, target)
    return try readFiles(transaction, latest: true) { connection, _, missing in
      var result: [[String: Any]] = []
      let statement = try connection.statement(plan.statement.text)
      statement.bind(plan.statement.bindings)
      try collect(statement, target.watch, connection) { row in
        var values: [String: Any] = [:]
        values.reserveCapacity(decoders.count)
        for decoder in decoders {
          if let value = try decoder.value(row, &missing) { values[decoder.name] = value }
        }
        result.append(values)
      }
      return result
    }
  }

  /// Returns how many dictionaries a fetch gives.
  func countValues(_ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction) throws -> Int {
    let plan = try valuesPlan(target, query)
    return try readFiles(transaction, latest: true) { connection, _, _ in
      var count = 0
      let statement = try connection.statement("SELECT COUNT(*) FROM (\(plan.statement.text))")
      statement.bind(plan.statement.bindings)
      try collect(statement, target.watch, connection) { count = Int($0.int(0)) }
      return count
    }
  }

  private func valuesPlan(_ target: FetchTarget, _ query: DictionaryQuery) throws -> SQLFetchStatement {
    try SQLFetch(values: query, target, model: schema, entity: try entity(target.layout.entity)).statement()
  }

  private func decoders(_ kinds: [SQLKind], _ query: DictionaryQuery, _ target: FetchTarget) -> [ColumnDecoder] {
    var index: Int32 = 0
    return zip(query.columns, kinds).map { column, kind in
      var asked = target.layout
      if let destination = column.slot?.destination {
        asked = destination.layout
      } else if case .key(let root) = kind, let entity = schema.entity(number: root)?.entity {
        asked = asked.rootNumber == root ? asked : entity.layout
      }
      defer { index += kind.isKey ? 2 : 1 }
      return ColumnDecoder(column, kind, at: index, asked: asked, store: self, external: external)
    }
  }
}
