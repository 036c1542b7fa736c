#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Collects history from the results of its statements, which all run in one transaction.
  final class HistoryReading {
    private struct Change: Hashable {
      let transaction, number: Int64
    }

    private let store: ServerStore
    /// The snapshot of what the reader has seen before.
    private let known: TransactionSnapshot
    private var snapshot: TransactionSnapshot?
    /// Whether the whole history after `known` still exists.
    private(set) var isComplete = true
    private var transactions: [HistoryRecord] = []
    private var changes: [Int64: [HistoryChangeRecord]] = [:]
    private var tombstones: [Change: [String: String]] = [:]

    init(_ store: ServerStore, known: TransactionSnapshot?) {
      self.store = store
      self.known = known ?? .empty
    }

    /// Adds the statements to a flight.
    func read(_ query: HistoryQuery, checks: Bool, withChanges: Bool, in flight: inout ReadFlight) {
      var values = ServerValues()
      values.append(snapshot: known)
      flight.add(HistoryQuery.check, values) { [self] result, _ in
        guard result.rowCount == 1 else { return }
        snapshot = TransactionSnapshot(result.string(0, 0))
        // If `known` sees more than the server's snapshot, it comes from another history, such as that of a server that
        // has lost its last commits.
        if checks { isComplete = result.bool(0, 1) && snapshot?.includes(known) == true }
      }
      flight.add(query.transactions, query.values) { [self] result, _ in
        for row in 0..<result.rowCount { add(transaction: row, result) }
      }
      guard withChanges else { return }
      flight.add(query.tombstones, query.values) { [self] result, _ in
        for row in 0..<result.rowCount {
          let change = Change(transaction: result.int64(row, 0), number: Int64(result.int32(row, 1)))
          tombstones[change, default: [:]][result.string(row, 2)] = result.string(row, 3)
        }
      }
      flight.add(query.changes, query.values) { [self] result, _ in
        for row in 0..<result.rowCount { add(change: row, result) }
      }
    }

    /// Returns the transactions in the order of their numbers.
    func records(withChanges: Bool) -> [HistoryRecord] {
      withChanges ? transactions.map { $0.with(changes[$0.number] ?? []) } : transactions
    }

    private func add(transaction row: Int, _ result: borrowing ServerResult) {
      func text(_ column: Int) -> String? { result.isNull(row, column) ? nil : result.string(row, column) }
      guard let snapshot else { return }
      let number = result.int64(row, 0)
      let place = snapshot.place(after: UInt64(bitPattern: number), known: known)
      transactions.append(
        HistoryRecord(
          storeID: store.identifier, number: number, place: .snapshot(place, server: store.identity.system),
          timestamp: Date(timeIntervalSinceReferenceDate: result.double(row, 1)), author: text(2),
          bundleID: text(5) ?? "", contextName: text(3), processID: text(4) ?? ""))
    }

    /// Adds a change. Changes of entities that the store does not hold any more are left out.
    private func add(change row: Int, _ result: borrowing ServerResult) {
      let entity = Int(result.int32(row, 3))
      guard store.historyLayouts.indices.contains(entity - 1) else { return }
      let type: NSPersistentHistoryChangeType
      switch result.char(row, 2) {
      case SaveFlight.ChangeKind.insert: type = .insert
      case SaveFlight.ChangeKind.update: type = .update
      case SaveFlight.ChangeKind.delete: type = .delete
      default: return
      }
      let layout = store.historyLayouts[entity - 1]
      let change = Change(transaction: result.int64(row, 0), number: Int64(result.int32(row, 1)))
      changes[change.transaction, default: []].append(
        HistoryChangeRecord(
          // This number is different for each change of a store, as long as none of its transactions has more than 16
          // million changes.
          id: change.transaction &<< 24 | change.number & 0xff_ffff, type: type,
          objectID: store.objectID(layout.entity.entity, key: result.int64(row, 4)), bitmaps: layout.bitmaps,
          columns: type == .update && !result.isNull(row, 5) ? result.data(row, 5) : nil,
          tombstone: type == .delete ? tombstone(change, layout) : nil))
    }

    /// Returns nil if the entity preserves no attributes.
    private func tombstone(_ change: Change, _ layout: HistoryLayout) -> [AnyHashable: Any]? {
      if layout.preserved.isEmpty { return nil }
      var values: [AnyHashable: Any] = [:]
      let texts = tombstones[change] ?? [:]
      for attribute in layout.preserved {
        values[attribute.keyPath] = texts[attribute.keyPath].flatMap {
          TombstoneValues.value($0, of: attribute.attribute)
        }
      }
      return values
    }
  }
#endif
