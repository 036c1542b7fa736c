#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A batch insert within its transaction. Rows go to the entity's table or, if values must be unique, first to a
  /// private table, from which the merge policy takes them.
  final class BatchInsertion {
    /// The private table: the rows in the order in which they were given, numbered from 1, each with a key.
    static let staged = "\"_rows\""
    private static let lotSize = 1 << 16
    /// The number of blocks of keys for the first COPY, and the limit of this number. Each further COPY takes twice as
    /// many as the one before.
    private static let firstBlocks: Int64 = 64, mostBlocks: Int64 = 4096

    let store: ServerStore
    let entity: SQLEntity
    let policy: NSMergePolicyType
    let constraints: [UniquenessConstraint]
    let columns: BatchColumns
    let reader: BatchRowReader
    /// The attributes that depend on rows which are updated.
    let derived: BatchDerivations
    /// The keys of the rows that go to the entity's table directly.
    private var used: [Range<Int64>] = []

    init(_ store: ServerStore, _ entity: SQLEntity, _ rows: BatchRows, _ policy: NSMergePolicyType) {
      (self.store, self.entity, self.policy) = (store, entity, policy)
      constraints = UniquenessConstraint.all(of: entity.entity)
      let isMerging = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy)
      let updates = isMerging && !constraints.isEmpty
      columns = BatchColumns(entity, of: store, updates: updates)
      reader = BatchRowReader(
        rows, columns, isStaged: !constraints.isEmpty,
        notesGiven: updates && policy == .mergeByPropertyObjectTrumpMergePolicyType, store)
      derived = BatchDerivations(
        store, of: updates ? entity.numbers : [], columns: Set(columns.all.map(\.name)),
        in: [entity.root.number: BatchDerivations.written])
    }

    var isStaged: Bool { reader.isStaged }
    var dialect: any SQLDialect { store.schema.dialect }
    func quoted(_ name: String) -> String { dialect.quoted(name) }

    // MARK: Writing

    /// Writes all rows.
    /// - Parameter keys: a key for each row, if there are few rows and all have been read; otherwise nil.
    func write(_ keys: ContiguousArray<Int64>?, _ batch: BatchTransaction) throws {
      if isStaged { createStaged(batch) }
      if let keys {
        let types = reader.types
        batch.add(
          "INSERT INTO \(place) SELECT * FROM unnest(\(SaveFlight.variables(types.count)))",
          types: SaveFlight.arrays(types), reader.arrays(keys), isPrepared: !isStaged)
        for key in keys { use(key..<key + 1) }
      } else {
        try copy(batch)
      }
    }

    /// Notes the rows that went to the entity's table directly.
    func noteInserted(_ batch: BatchTransaction) {
      batch.noteInserts(of: entity, used)
      batch.changes.count = reader.count
      guard batch.options.rows else { return }
      batch.changes.inserted.reserveCapacity(reader.count)
      for keys in used {
        for key in keys { batch.changes.inserted.append(BatchedRow(key: key, number: entity.number)) }
      }
    }

    /// The table and its columns, as SQL.
    private var place: String {
      if isStaged { return Self.staged }
      let names = entity.fixed.all + columns.inserted.map(\.name)
      return "\(quoted(entity.tableName))(\(names.map(quoted).joined(separator: ", ")))"
    }

    private func createStaged(_ batch: BatchTransaction) {
      let values = columns.all.indices.map { "c\($0) \(dialect.name(of: columns.all[$0].type))" }
      batch.add(
        "CREATE TEMP TABLE \(Self.staged)(\((["n bigint", "k bigint"] + values).joined(separator: ", "))) ON COMMIT DROP"
      )
    }

    /// Runs one COPY for the first keys, then one for twice as many keys, and so on, because the number of rows is not
    /// known.
    private func copy(_ batch: BatchTransaction) throws {
      batch.prepareToInsertRows()
      let root = entity.root
      var blocks = Self.firstBlocks, keys: [Range<Int64>] = []
      var left = 0..<Int64(0)
      defer {
        store.keys.give(left, of: root.number)
        for range in keys { store.keys.give(range, of: root.number) }
      }
      while !reader.isDone {
        var wanted = blocks
        while wanted > 0 {
          while wanted > 0, let range = store.keys.takeRange(of: root.number) {
            keys.append(range)
            wanted -= 1
          }
          if wanted == 0 { break }
          batch.addNewKeys(wanted, of: root)
          try batch.send()
        }
        blocks = min(2 * blocks, Self.mostBlocks)
        keys.sort { $0.lowerBound > $1.lowerBound }
        try batch.insertRows(into: place, reader.types) { lot in
          while reader.gatheredBytes < Self.lotSize, !reader.isDone {
            if left.isEmpty {
              guard let range = keys.popLast() else { break }
              left = range
            }
            let first = left.lowerBound
            try reader.gather(size: Self.lotSize, &left)
            use(first..<left.lowerBound)
          }
          lot = reader.takeLot()
          return !reader.isDone && (!left.isEmpty || !keys.isEmpty)
        }
      }
    }

    private func use(_ keys: Range<Int64>) {
      if keys.isEmpty { return }
      if let last = used.last, last.upperBound == keys.lowerBound {
        used[used.count - 1] = last.lowerBound..<keys.upperBound
      } else {
        used.append(keys)
      }
    }
  }
#endif
