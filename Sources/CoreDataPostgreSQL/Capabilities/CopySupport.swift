#if PostgreSQL
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// Whether a server takes rows by COPY, which the first insertion of rows finds out. Some engines that speak the server's
  /// protocol have no binary COPY; all of them can work without it.
  final class CopySupport: Sendable {
    private enum Answer { static let unknown = 0, taken = 1, refused = 2 }

    private let answer = Atomic<Int>(Answer.unknown)

    /// Set before rows are inserted in a transaction, as long as it is not known whether the server takes COPY. The
    /// transaction can go on after a refusal then.
    static let savepoint = "SAVEPOINT rows"

    var isKnown: Bool { answer.load(ordering: .relaxed) != Answer.unknown }
    var isRefused: Bool { answer.load(ordering: .relaxed) == Answer.refused }

    func note(refused: Bool) { answer.store(refused ? Answer.refused : Answer.taken, ordering: .relaxed) }
  }

  extension ServerConnection {
    /// Inserts rows into a table: by COPY, or, if the server has none, by INSERT from arrays.
    /// - Parameters:
    ///   - place: the table and its columns, in the form that both statements take.
    ///   - types: the columns' types.
    ///   - support: what is known of the server. As long as nothing is known, a transaction sets `CopySupport.savepoint`
    ///     first.
    ///   - next: adds whole rows to an empty buffer, as in `copyIn`; returns false if there are no more rows after these.
    /// - Throws: `ServerError`, or the error of `next`.
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
        // The INSERT has succeeded. So the server has refused the COPY itself, and did not lack a right on the table.
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
