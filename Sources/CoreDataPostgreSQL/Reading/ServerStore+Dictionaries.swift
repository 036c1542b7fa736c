#if PostgreSQL
  import Foundation
  import OpenCocoaFoundation
  @_spi(Store) import OpenCoreData

  import class OpenCocoaFoundation.NSExpression

  // Fetches of dictionaries, and counts by groups. They read single columns and computed values, no objects, and no
  // rows for the cache.
  extension ServerStore {
    /// Returns the dictionaries of a fetch, in its order.
    func selectDictionaries(
      _ target: FetchTarget, _ query: DictionaryQuery, _ transaction: ServerReadTransaction
    ) throws -> [[String: Any]] {
      let plan = try valuesPlan(target, query)
      let decoders = decoders(plan.kinds, query, target)
      var dictionaries: [[String: Any]] = []
      try transaction.run(
        try PreparedStatement(plan.statement), latest: true, watch: target.watch, begin: { dictionaries = [] },
        { result, _ in
          dictionaries.reserveCapacity(result.rowCount)
          for row in 0..<result.rowCount {
            var values: [String: Any] = [:]
            values.reserveCapacity(decoders.count)
            for decoder in decoders {
              if let value = decoder.value(result, row) { values[decoder.name] = value }
            }
            dictionaries.append(values)
          }
        })
      return dictionaries
    }

    /// Returns how many dictionaries a fetch has.
    func countValues(
      _ target: FetchTarget, _ query: DictionaryQuery, _ transaction: ServerReadTransaction
    ) throws -> Int {
      var made = try valuesPlan(target, query).statement
      made.text = "SELECT count(*) FROM (\(made.text)) AS counted"
      var count = 0
      try transaction.run(
        try PreparedStatement(made), latest: true, watch: target.watch, begin: { count = 0 },
        { result, _ in count = Int(result.int64(0, 0)) })
      return count
    }

    private func valuesPlan(_ target: FetchTarget, _ query: DictionaryQuery) throws -> SQLFetchStatement {
      try SQLFetch(values: query, target, model: schema, entity: try entity(target.layout.entity)).statement()
    }

    private func decoders(
      _ kinds: [SQLKind], _ query: DictionaryQuery, _ target: FetchTarget
    ) -> [DictionaryColumnDecoder] {
      var index = 0
      return zip(query.columns, kinds).map { column, kind in
        var asked = target.layout
        if let destination = column.slot?.destination {
          asked = destination.rowLayout
        } else if case .key(let root) = kind, let entity = schema.entity(number: root)?.entity {
          asked = asked.rootNumber == root ? asked : entity.rowLayout
        }
        defer { index += kind.isKey ? 2 : 1 }
        return DictionaryColumnDecoder(column, kind, at: index, asked: asked, store: self)
      }
    }
  }

  extension ServerStore {
    func countGroups(
      _ target: FetchTarget, by keyPath: String, of attribute: NSAttributeDescription, _ order: NSSortDescriptor,
      transaction: ReadTransaction, _ body: (_ value: Any?, _ count: Int) throws -> Void
    ) throws {
      var fetch = SQLFetch(model: schema, entity: try entity(target.layout.entity))
      fetch.predicate = target.predicate
      fetch.sortDescriptors = [order]
      fetch.includesSubentities = target.includesSubentities
      fetch.rows = target.rows
      let value = NSExpression(forKeyPath: keyPath)
      let count = NSExpression(forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
      fetch.result = .values(
        [SQLFetchedValue(name: "section", expression: value), SQLFetchedValue(name: "objects", expression: count)],
        groupBy: [value], having: nil)
      var groups: [(value: Any?, count: Int)] = []
      try transaction.onServer.run(
        try PreparedStatement(try fetch.statement().statement), latest: false, begin: { groups = [] },
        { result, _ in
          for row in 0..<result.rowCount {
            groups.append((result.groupValue(row, of: attribute), Int(result.wholeNumber(row, 1) ?? 0)))
          }
        })
      for group in groups { try body(group.value, group.count) }
    }
  }

  extension ServerResult {
    /// Returns the value of an attribute in the first column, as the attribute's accessor would.
    fileprivate func groupValue(_ row: Int, of attribute: NSAttributeDescription) -> Any? {
      if isNull(row, 0) { return nil }
      switch attribute.attributeType {
      case .stringAttributeType: return string(row, 0)
      case .booleanAttributeType: return wholeNumber(row, 0).map { NSNumber(value: $0 != 0) }
      case .doubleAttributeType: return realNumber(row, 0).map { NSNumber(value: $0) }
      case .floatAttributeType: return realNumber(row, 0).map { NSNumber(value: Float($0)) }
      case .dateAttributeType: return realNumber(row, 0).map(Date.init(timeIntervalSinceReferenceDate:))
      case .decimalAttributeType: return decimalNumber(row, 0).map { NSDecimalNumber(decimal: $0) }
      default: return wholeNumber(row, 0).map { NSNumber(value: $0) }
      }
    }
  }
#endif
