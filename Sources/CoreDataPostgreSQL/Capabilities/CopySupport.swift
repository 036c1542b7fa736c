#if PostgreSQL
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// Whether a server accepts rows by COPY. The first rows that are inserted find this out: some engines that speak the
  /// server's protocol have no binary COPY, and the store works without it.
  final class CopySupport: Sendable {
    private enum Answer { static let unknown = 0, taken = 1, refused = 2 }

    private let answer = Atomic<Int>(Answer.unknown)

    /// A savepoint for rows that are inserted in a transaction before it is known whether the server accepts COPY. With
    /// it the transaction can continue after a refusal.
    static let savepoint = "SAVEPOINT rows"

    var isKnown: Bool { answer.load(ordering: .relaxed) != Answer.unknown }
    var isRefused: Bool { answer.load(ordering: .relaxed) == Answer.refused }

    func note(refused: Bool) { answer.store(refused ? Answer.refused : Answer.taken, ordering: .relaxed) }
  }

  extension ServerConnection {
    /// Inserts rows into a table: by COPY or, if the server has no COPY, by INSERT from arrays.
    /// - Parameters:
    ///   - place: the table and its columns, as both statements take them.
    ///   - types: the columns' types.
    ///   - support: whether the server accepts COPY. While that is unknown, the caller sets `CopySupport.savepoint`
    ///     before the call if a transaction is open.
    ///   - next: adds whole rows to an empty buffer, as in `copyIn`; it returns false when no rows follow these.
    /// - Throws: `ServerError`, or an error of `next`.
    func insertRows(
      into place: String, types: [SQLColumnType], _ support: CopySupport, _ next: (inout [UInt8]) throws -> Bool
    ) throws {
      if support.isRefused { return try insertArrays(into: place, types, next) }
      let isFirst = !support.isKnown, isWithin = transactionStatus != .idle
      var wasAsked = false
      do {
        try copyIn("COPY \(place) FROM STDIN (FORMAT binary)") { lot in
          wasAsked = true
          return try next(&lot)
        }
        if isFirst { support.note(refused: false) }
      } catch let error as ServerError where isFirst && !wasAsked && error.isOfMissingFeature {
        if isWithin { try execute("ROLLBACK TO \(CopySupport.savepoint)") }
        try insertArrays(into: place, types, next)
        // The INSERT has worked, so the error was about COPY and not about a missing right on the table.
        support.note(refused: true)
      }
    }

    private func insertArrays(
      into place: String, _ types: [SQLColumnType], _ next: (inout [UInt8]) throws -> Bool
    ) throws {
      let statement = ServerStatement(
        "INSERT INTO \(place) SELECT * FROM unnest(\(SaveFlight.variables(types.count)))",
        types: SaveFlight.arrays(types))
      var lot: [UInt8] = [], goesOn = true
      while goesOn {
        lot.removeAll(keepingCapacity: true)
        goesOn = try next(&lot)
        var columns = RowColumns(types)
        columns.add(lot)
        guard columns.rowCount > 0 else { continue }
        var flight = Flight()
        flight.add(statement, columns.values)
        try run(flight)
      }
    }
  }
#endif
