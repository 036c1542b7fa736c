#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Collects the changes that other programs have saved between two checks of a store, for the contexts that merge
  /// automatically.
  struct RemoteChanges {
    /// More changed rows than this are not reported one by one: the contexts read all of their objects again.
    private static let limit = 10_000

    private static let question = ServerStatement(
      """
      SELECT t.token, c.kind, c.ent, c.pk FROM "_change" c JOIN "_commit" t ON t.xid = c.xid \
      WHERE c.xid >= pg_snapshot_xmin($1) AND NOT pg_visible_in_snapshot(c.xid, $1) \
      AND pg_visible_in_snapshot(c.xid, $2) ORDER BY c.xid, c.n LIMIT \(limit + 1)
      """, types: [ServerType.snapshot, ServerType.snapshot], isWork: false)

    private let store: ServerStore
    private var inserted: Set<NSManagedObjectID> = []
    private var updated: Set<NSManagedObjectID> = []
    private var deleted: Set<NSManagedObjectID> = []

    private init(_ store: ServerStore) { self.store = store }

    /// Reads the changes that the second snapshot sees and the first does not.
    static func read(
      from known: TransactionSnapshot, to seen: TransactionSnapshot, in store: ServerStore,
      _ connection: ServerConnection
    ) throws -> SavedChanges {
      var values = ServerValues()
      values.append(snapshot: known)
      values.append(snapshot: seen)
      var found = RemoteChanges(store), isTooMuch = false
      var flight = Flight()
      flight.add(question, values) { result in
        isTooMuch = result.rowCount > limit
        if isTooMuch { return }
        for row in 0..<result.rowCount { found.add(row, result) }
      }
      try connection.run(flight)
      return isTooMuch ? everything : found.changes
    }

    /// The result if the changed objects are not known one by one.
    static var everything: SavedChanges {
      var changes = SavedChanges()
      changes.isEverything = true
      return changes
    }

    private var changes: SavedChanges {
      var changes = SavedChanges()
      (changes.inserted, changes.updated, changes.deleted) = (Array(inserted), Array(updated), Array(deleted))
      return changes
    }

    /// Adds a change of another program. Changes of the store's own coordinator are left out, because its contexts know
    /// them already.
    private mutating func add(_ row: Int, _ result: borrowing ServerResult) {
      let entity = Int(result.int32(row, 2))
      guard !store.tokens.areOf(result.uuid(row, 0)), store.historyLayouts.indices.contains(entity - 1) else { return }
      let id = store.objectID(store.historyLayouts[entity - 1].entity.entity, key: result.int64(row, 3))
      switch result.char(row, 1) {
      case SaveFlight.ChangeKind.insert:
        deleted.remove(id)
        inserted.insert(id)
      case SaveFlight.ChangeKind.delete:
        inserted.remove(id)
        updated.remove(id)
        deleted.insert(id)
      // An object whose insertion is also in the changes may have been read between insertion and update.
      default: updated.insert(id)
      }
    }
  }
#endif
