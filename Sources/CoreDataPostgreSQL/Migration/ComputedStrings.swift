#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Computes a derived attribute row by row, because the server's function gives other results than the framework's, or does
  /// not exist.
  struct ComputedStrings {
    private let derivation: SQLDerivation
    private let model: SQLModel
    /// The number of rows that are read at once.
    private static let lot = 5000

    init(_ derivation: SQLDerivation, _ model: SQLModel) { (self.derivation, self.model) = (derivation, model) }

    func write(_ connection: ServerConnection) throws {
      guard case .row(let function, let source) = derivation.kind else { return }
      let entity = derivation.entity, quoted = model.dialect.quoted
      let (table, key) = (quoted(entity.tableName), quoted(entity.fixed.key))
      let numbers = entity.numbers.map(String.init).joined(separator: ", ")
      let update = ServerStatement(
        "UPDATE \(table) t SET \(quoted(derivation.attribute.columnName)) = v.x FROM unnest($1, $2) AS v(k, x) "
          + "WHERE t.\(key) = v.k",
        types: [ServerType.array(of: ServerType.int64), ServerType.array(of: ServerType.text)], isPrepared: false)
      var last = Int64.min
      while true {
        var keys: [Int64] = [], texts: [String?] = []
        try connection.query(
          "SELECT \(key), \(quoted(source.columnName)) FROM \(table) WHERE \(quoted(entity.fixed.entity)) IN (\(numbers)) "
            + "AND \(key) > \(last) ORDER BY \(key) LIMIT \(Self.lot)"
        ) { result, row in
          keys.append(result.int64(row, 0))
          guard !result.isNull(row, 1), case .string(let text) = function.value(of: .string(result.string(row, 1)))
          else {
            return texts.append(nil)
          }
          texts.append(text)
        }
        guard let end = keys.last else { return }
        last = end
        var values = ServerValues(), flight = Flight()
        values.append(array: keys)
        values.beginArray(of: ServerType.text, reserving: texts.count)
        for text in texts { if let text { values.append(text) } else { values.appendNull() } }
        values.endArray()
        flight.add(update, values)
        try connection.run(flight)
      }
    }
  }
#endif
