#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    func hasHistory(_ transaction: ReadTransaction) throws -> Bool {
      try cocoa {
        var hasHistory = false
        try transaction.onServer.read(latest: true, fromPrimary: true) { flight in
          flight.add(HistoryQuery.present, systemValue) { result, _ in
            hasHistory = result.rowCount == 1 && result.bool(0, 1)
          }
        }
        return hasHistory
      }
    }

    func readHistory(
      after range: HistoryRange, known: HistoryPlace?, withChanges: Bool, _ transaction: ReadTransaction
    ) throws -> [HistoryRecord] {
      let seen = try known.map(snapshot)
      let query = HistoryQuery(after: range)
      return try cocoa {
        var reading = HistoryReading(self, known: seen)
        try transaction.onServer.read(latest: true, fromPrimary: true) { flight in
          reading = HistoryReading(self, known: seen)
          reading.read(query, checks: seen != nil, withChanges: withChanges, in: &flight)
        }
        guard reading.isComplete else { throw historyExpiredError }
        return reading.records(withChanges: withChanges)
      }
    }

    /// Returns the snapshot of a place.
    /// - Throws: 134301 for a place of another server, or of a store of another kind.
    func snapshot(_ place: HistoryPlace) throws -> TransactionSnapshot {
      guard case .snapshot(let snapshot, identity.system) = place else { throw tokenOfCopyError }
      return snapshot
    }

    func latestHistoryPlace() throws -> HistoryPlace? {
      try cocoa {
        var place: HistoryPlace?
        var flight = Flight()
        flight.add(HistoryQuery.present, systemValue) { [identity] result in
          guard result.rowCount == 1, result.bool(0, 1) else { return }
          place = TransactionSnapshot(result.string(0, 0)).map { .snapshot($0, server: identity.system) }
        }
        try withWriter { try $0.run(flight) }
        return place
      }
    }

    /// Returns the place right after a save; nil if no history is kept, or if the answer with the snapshot was lost.
    func historyPlace(after outcome: SaveOutcome) -> HistoryPlace? {
      guard serverOptions.tracksHistory, case .snapshot(let seen)? = outcome.answer?.state else { return nil }
      return .snapshot(seen.place(after: outcome.transaction), server: identity.system)
    }

    private var systemValue: ServerValues {
      var values = ServerValues()
      values.append(identity.system)
      return values
    }

    var historyExpiredError: NSError {
      NSError(
        coreData: NSPersistentHistoryTokenExpiredError,
        "The history of the store at \(place) after the given token is not there any more, or never was.",
        [NSFilePathErrorKey: place])
    }
  }
#endif
