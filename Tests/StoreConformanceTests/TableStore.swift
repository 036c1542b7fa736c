import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import Synchronization

/// A store of a kind of its own, made outside of the framework's module by overriding what contexts ask of stores: tables in
/// memory that several stores share, as they would share a server. Objects have attributes alone.
final class TableStore: NSPersistentStore, @unchecked Sendable {  // immutable; the tables have a lock
  static let type = "TableStore"

  struct Row {
    var version: Int64
    var values: [String: Any]
  }

  /// The tables of one URL, by the name of an entity and the key of a row.
  final class Tables: @unchecked Sendable {  // everything belongs to `lock`
    let lock = NSLock()
    var rows: [String: [Int64: Row]] = [:]
    var lastKey: Int64 = 0
  }

  private static let shared = Mutex<[String: Tables]>([:])
  private let tables: Tables

  required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    tables = Self.shared.withLock { shared in
      let tables = shared[url.host ?? ""] ?? Tables()
      shared[url.host ?? ""] = tables
      return tables
    }
    super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
  }

  // MARK: Opening

  override class func identity(at url: URL) -> String? { url.host }

  override class func isPresent(at url: URL, options: [AnyHashable: Any]?) throws -> Bool {
    shared.withLock { $0[url.host ?? ""] != nil }
  }

  override func open(_ type: String) throws {
    metadata = [NSStoreUUIDKey: "\(url?.host ?? "")", NSStoreTypeKey: type]
  }

  // MARK: Reading

  override var choosesRows: Bool { false }

  override func count(_ target: FetchTarget, transaction: ReadTransaction) throws -> Int {
    try keys(target).count
  }

  override func fetchKeys(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    var fetched = FetchedRows(store: self)
    fetched.keys = try keys(target)
    return fetched
  }

  override func fetchRows(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    var fetched = try fetchKeys(target, transaction: transaction)
    fetched.rows = try readRows(fetched.keys, layout: target.layout, transaction: transaction).rows
    return fetched
  }

  override func readRows(
    _ keys: ContiguousArray<Int64>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) {
    let found = tables.lock.withLock { keys.compactMap { key in table(layout)[key].map { (key, $0) } } }
    let rows = try found.map { key, stored in
      try row(key, of: layout, version: stored.version) { stored.values[$0.name] }
    }
    return (ContiguousArray(rows), false)
  }

  override func outdatedRows(
    of objects: ContiguousArray<NSManagedObject>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> OutdatedRows {
    let versions = tables.lock.withLock { table(layout).mapValues(\.version) }
    return try outdated(objects, versions: versions, layout: layout, transaction: transaction)
  }

  private func keys(_ target: FetchTarget) throws -> ContiguousArray<Int64> {
    let rows = tables.lock.withLock { table(target.layout) }.sorted { $0.key < $1.key }
    var found = try rows.filter { try target.predicate?.holds(for: $0.value.values as NSDictionary) ?? true }
    for order in target.sortDescriptors.reversed() {
      found.sort { one, other in
        order.compare(one.value.values as NSDictionary, to: other.value.values as NSDictionary) == .orderedAscending
      }
    }
    let page = found.dropFirst(target.offset)
    return ContiguousArray((target.limit > 0 ? page.prefix(target.limit) : page).map(\.key))
  }

  private func table(_ layout: EntityLayout) -> [Int64: Row] { tables.rows[layout.name] ?? [:] }

  // MARK: Saving

  override func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult {
    var keys: ContiguousArray<Int64> = []
    tables.lock.withLock {
      for object in work.inserted {
        tables.lastKey += 1
        keys.append(tables.lastKey)
        write(object, tables.lastKey)
      }
      for object in work.updated { write(object, object.objectID.primaryKey) }
      for object in work.deleted {
        tables.rows[object.entity.rowLayout.name]?[object.objectID.primaryKey] = nil
      }
    }
    return finish(work, insertedKeys: keys)
  }

  private func write(_ object: NSManagedObject, _ key: Int64) {
    let layout = object.entity.rowLayout
    var values: [String: Any] = [:]
    for slot in layout.slots where !slot.isTransient { values[slot.name] = object.value(forKey: slot.name) }
    let version = (tables.rows[layout.name]?[key]?.version ?? 0) + 1
    tables.rows[layout.name, default: [:]][key] = Row(version: version, values: values)
  }
}
