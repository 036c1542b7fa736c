#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Derived attributes that depend on rows which a batch request writes: counts, sums, and values at the end of to-one
  /// relationships. The rows whose values may change are noted before and after the write; then their values are
  /// computed.
  struct BatchDerivations {
    /// Two private tables. `_written` has the rows that are written. `_touched` has the rows whose derived attribute,
    /// given by its number, may change.
    static let writtenName = "_written"
    static let written = "\"\(writtenName)\"", touched = "\"_touched\""

    private let store: ServerStore
    /// The derivations, with their places among the store's.
    private var all: [(place: Int, derivation: SQLDerivation)] = []
    private let numbers: Set<Int>
    private let columns: Set<String>?
    private let tables: [Int: String]

    /// - Parameters:
    ///   - numbers: the entities of the rows that are written.
    ///   - columns: the columns that change; nil if rows are deleted.
    ///   - tables: the tables with the keys of the rows, by the numbers of their root entities.
    init(_ store: ServerStore, of numbers: [Int], columns: Set<String>?, in tables: [Int: String]) {
      (self.store, self.columns, self.tables) = (store, columns, tables)
      self.numbers = Set(numbers)
      for (place, derivation) in store.derivations.all.enumerated() where derivation.needsTriggers {
        if !selects(derivation).isEmpty { all.append((place, derivation)) }
      }
    }

    var isEmpty: Bool { all.isEmpty }

    /// Adds the table of touched rows and, if `makesWritten`, that of written rows.
    func prepare(_ batch: BatchTransaction, makesWritten: Bool) {
      if isEmpty { return }
      if makesWritten {
        let columns = store.schema.dialect.columns
        batch.add(
          "CREATE TEMP TABLE \(Self.written)(\(quoted(columns.key)) bigint, \(quoted(columns.entity)) integer) "
            + "ON COMMIT DROP")
      }
      batch.add("CREATE TEMP TABLE \(Self.touched)(d integer, pk bigint) ON COMMIT DROP")
    }

    /// Notes the rows whose values depend on the written rows, in the present state.
    func touch(_ batch: BatchTransaction) {
      for (place, derivation) in all {
        let keys = selects(derivation).joined(separator: " UNION ")
        batch.add(
          "INSERT INTO \(Self.touched) SELECT DISTINCT \(place), k FROM (\(keys)) AS s(k) WHERE k IS NOT NULL")
      }
    }

    /// Computes the values of the rows that were noted.
    func compute(_ batch: BatchTransaction) {
      let flight = SaveFlight(store)
      for (place, derivation) in all {
        let entity = derivation.entity, column = quoted(derivation.attribute.columnName)
        let key = quoted(entity.fixed.key), value = flight.value(of: derivation).value
        let root = entity.entity.rowLayout.rootNumber
        batch.add(
          changing: "UPDATE \(quoted(entity.tableName)) t SET \(column) = \(value) "
            + "WHERE t.\(key) IN (SELECT pk FROM \(Self.touched) WHERE d = \(place))\(flight.entityFilter(derivation)) "
            + "AND t.\(column) IS DISTINCT FROM \(value) RETURNING t.\(key), t.\(quoted(entity.fixed.entity))",
          kind: SaveFlight.ChangeKind.touch, wantsRows: batch.options.others
        ) { count, rows in
          if count > 0 { batch.changes.roots.insert(root) }
          batch.changes.others.formUnion(rows)
        }
      }
    }

    // MARK: Whose values these are

    /// Returns selects of the keys of rows whose attribute depends on the written rows; none if it depends on none of
    /// them.
    private func selects(_ derivation: SQLDerivation) -> [String] {
      switch derivation.kind {
      case .now, .row: []
      case .path(let toOnes, let source): ends(derivation, toOnes, source)
      case .count(let toMany): owners(toMany, changing: nil, isFiltered: derivation.filter != nil)
      case .sum(let toMany, let source): owners(toMany, changing: source, isFiltered: derivation.filter != nil)
      }
    }

    private func ends(_ derivation: SQLDerivation, _ toOnes: [SQLToOne], _ source: SQLAttribute) -> [String] {
      let key = quoted(store.schema.dialect.columns.key)
      var result: [String] = []
      // Deleted rows need no values.
      if columns != nil, let table = table(of: derivation.entity, changing: toOnes[0].keyColumn) {
        result.append("SELECT w.\(key) FROM \(table) w")
      }
      var from = "\(quoted(derivation.entity.tableName)) t", last = "t"
      for (index, toOne) in toOnes.enumerated() {
        let destination = store.schema.destination(of: toOne), lead = "\(last).\(quoted(toOne.keyColumn))"
        let changed = index + 1 < toOnes.count ? toOnes[index + 1].keyColumn : source.columnName
        if let table = table(of: destination, changing: changed) {
          result.append("SELECT t.\(key) FROM \(from) JOIN \(table) w ON w.\(key) = \(lead)")
        }
        from += " JOIN \(quoted(destination.tableName)) p\(index) ON p\(index).\(key) = \(lead)"
        last = "p\(index)"
      }
      return result
    }

    private func owners(_ toMany: SQLToMany, changing source: SQLAttribute?, isFiltered: Bool) -> [String] {
      let key = quoted(store.schema.dialect.columns.key), destination = store.schema.destination(of: toMany)
      switch toMany.storage {
      case .foreignKey(let members, let column, _, _):
        // A filter may use any column.
        let changed = [column] + (source.map { [$0.columnName] } ?? [])
        guard let table = table(of: destination, changing: isFiltered ? nil : changed) else { return [] }
        return ["SELECT m.\(quoted(column)) FROM \(quoted(members)) m JOIN \(table) w ON w.\(key) = m.\(key)"]
      case .join(let pairs, let owner, let member, _, _):
        let changed = source.map { [$0.columnName] } ?? []
        guard let table = table(of: destination, changing: isFiltered ? nil : changed) else { return [] }
        return ["SELECT j.\(quoted(owner)) FROM \(quoted(pairs)) j JOIN \(table) w ON w.\(key) = j.\(quoted(member))"]
      }
    }

    /// Returns the table with the keys of written rows of an entity; nil if there are none, or if none of the given
    /// columns changes.
    private func table(of entity: SQLEntity, changing changed: [String]?) -> String? {
      guard !numbers.isDisjoint(with: entity.numbers) else { return nil }
      if let columns, let changed, columns.isDisjoint(with: changed) { return nil }
      return tables[entity.root.number]
    }

    private func table(of entity: SQLEntity, changing column: String) -> String? {
      table(of: entity, changing: [column])
    }

    private func quoted(_ name: String) -> String { store.schema.dialect.quoted(name) }
  }
#endif
