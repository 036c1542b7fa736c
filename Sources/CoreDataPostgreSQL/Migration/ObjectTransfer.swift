#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Copies all objects of another store of the same model into an empty one, in one transaction, by COPY: in the one that
  /// makes the store, if that is still open. Objects keep their keys, and the sequences continue after them.
  ///
  /// References that lead to no object are left out, as when objects are copied one by one.
  final class ObjectTransfer {
    let reader: StoreObjectReader
    let store: ServerStore
    let connection: ServerConnection
    let progress: Progress?
    /// By the number of the root entity in the model, ascending.
    private var keys: [Int: ContiguousArray<Int64>] = [:]
    /// Closures that put the members of tables of pairs into the order of the second end. They run when all pairs have been
    /// copied.
    var arrangedLater: [() throws -> Void] = []
    /// The number of objects that are read at once.
    static let batchSize = 2000

    init(_ reader: StoreObjectReader, to store: ServerStore, on connection: ServerConnection, _ progress: Progress?) {
      (self.reader, self.store, self.connection, self.progress) = (reader, store, connection, progress)
    }

    func quoted(_ name: String) -> String { store.schema.dialect.quoted(name) }

    func run() throws {
      let isWithin = connection.transactionStatus != .idle
      if !isWithin { try connection.execute("BEGIN") }
      do {
        try connection.execute(["SET LOCAL statement_timeout = 0", CopySupport.savepoint])
        let all = try reader.layouts.map { try ($0, reader.keys(of: $0)) }
        for (layout, keys) in all { self.keys[layout.rootNumber, default: []] += keys }
        for root in keys.keys { keys[root]?.sort() }
        progress?.totalUnitCount = Int64(all.reduce(0) { $0 + $1.1.count })
        for (layout, keys) in all { try copyRows(keys, layout) }
        for (layout, keys) in all { try copyMembers(keys, layout) }
        for arrange in arrangedLater { try arrange() }
        try setSequences()
        try connection.execute("ANALYZE \(store.schema.tables.map { quoted($0.name) }.joined(separator: ", "))")
        if !isWithin { try connection.commit() }
      } catch {
        if connection.isUsable { try? connection.execute("ROLLBACK") }
        throw error
      }
    }

    /// Whether there is an object of a root entity with that key.
    func isThere(_ key: Int64, _ root: Int) -> Bool {
      guard let keys = keys[root] else { return false }
      var low = 0, high = keys.count
      while low < high {
        let middle = (low + high) / 2
        if keys[middle] < key { low = middle + 1 } else { high = middle }
      }
      return low < keys.count && keys[low] == key
    }

    private func setSequences() throws {
      let dialect = store.schema.dialect
      for entity in store.schema.entities where entity.superentity == nil {
        guard let last = keys[entity.entity.rowLayout.rootNumber]?.last else { continue }
        let name = ServerSchema.sequence(of: entity, dialect, asText: true)
        try connection.execute("SELECT setval(\(name), \(last + 1), false)")
      }
    }

    // MARK: Rows

    private func copyRows(_ keys: ContiguousArray<Int64>, _ layout: EntityLayout) throws {
      if keys.isEmpty { return }
      let entity = try store.entity(layout.entity)
      let columns = entity.columns.map { column in
        // Derived values are copied as well.
        (WriteColumn(layout.slot(named: column.propertyName), width: column.names.count), column.typedNames)
      }
      let names = entity.fixed.all + columns.flatMap { $0.1.map(\.name) }
      var rows = CopyRows(), start = 0
      try connection.insertRows(
        into: "\(quoted(entity.tableName))(\(names.map(quoted).joined(separator: ", ")))",
        types: [.key, .entityNumber, .version] + columns.flatMap { $0.1.map(\.type) }, store.copySupport
      ) { buffer in
        let batch = ContiguousArray(keys[start..<min(start + Self.batchSize, keys.count)])
        for row in try reader.rows(batch, layout) {
          rows.begin(columns: names.count)
          rows.values.append(row.primaryKey)
          rows.values.append(Int32(entity.number))
          rows.values.append(Int64(1))
          for (column, types) in columns { try append(row, column, types, layout, to: &rows) }
        }
        try rows.move(to: &buffer)
        start += batch.count
        try StoreObjectReader.count(batch.count, progress)
        return start < keys.count
      }
    }

    private func append(
      _ row: Snapshot, _ column: WriteColumn, _ types: [(name: String, type: SQLColumnType)], _ layout: EntityLayout,
      to rows: inout CopyRows
    ) throws {
      guard let slot = column.slot else { return types.forEach { _ in rows.values.appendNull() } }
      if slot.kind == .toOne {
        guard !row.isNull(slot.index), let member = reader.destination(slot, row),
          isThere(row.int(slot.index), member.rootNumber)
        else { return types.forEach { _ in rows.values.appendNull() } }
        rows.values.append(row.int(slot.index))
        if types.count > 1 { rows.values.append(Int32(store.number(of: member.entity))) }
        return
      }
      if let unread = row.unread(slot.index) {
        // A value that cannot be read ends the copy: otherwise it would be lost in the new store.
        return rows.values.append(try unread.read().data)
      }
      if slot.kind == .string || slot.kind == .uri, !row.isNull(slot.index),
        row.withBytes(slot.index, { $0.contains(0) })
      {
        throw NSError(
          coreData: NSPersistentStoreSaveError,
          "\(slot.name) of \(layout.name)/p\(row.primaryKey) has the character U+0000, which no text of a PostgreSQL server "
            + "can have. Nothing was copied.", [NSValidationKeyErrorKey: slot.name])
      }
      rows.values.append(row, column, types[0].type)
    }
  }
#endif
