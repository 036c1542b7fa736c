#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// The values that columns have in one state of a store. They are looked up for statements in which the framework
  /// evaluates a string comparison, because the server would fold, order or match strings in another way.
  ///
  /// Only the values of the last state are kept, so that the next fetch in this state needs no look-up.
  final class StringValues: Sendable {
    typealias Values = [SQLStringColumn: [String]]

    /// A column with more values than this is not looked up.
    static let limit = 100_000

    private let known = Mutex<(moment: UInt64, values: Values)>((0, [:]))

    /// Returns the known state and the values of the columns in it; nil if values of some of the columns are missing.
    func find(_ columns: Set<SQLStringColumn>) -> (moment: UInt64, values: Values)? {
      known.withLock { known in
        let values = known.values.filter { columns.contains($0.key) }
        return values.count == columns.count ? (known.moment, values) : nil
      }
    }

    func keep(_ values: Values, of moment: UInt64) {
      known.withLock { known in
        if known.moment != moment { known = (moment, [:]) }
        known.values.merge(values) { _, new in new }
      }
    }
  }

  extension ServerStore {
    /// Returns the statement that looks up a column's values.
    func lookUp(_ column: SQLStringColumn) -> ServerStatement {
      statements.statement(.stringValues(column)) {
        ServerStatement(column.query(PostgreSQLDialect(), limit: StringValues.limit + 1))
      }
    }

    /// Reads the values of a column from a result.
    /// - Throws: 134060 for more values than the framework evaluates.
    func values(_ result: borrowing ServerResult, of column: SQLStringColumn) throws -> [String] {
      guard result.rowCount <= StringValues.limit else {
        let which = column.isBeyondASCII ? "different values with characters beyond ASCII" : "different values"
        throw NSError(
          coreData: NSCoreDataError,
          "The column \(column.column) of the table \(column.table) has more than \(StringValues.limit) \(which), all of "
            + "which would have to be judged for a comparison with options, MATCHES or a function of strings. Keep a "
            + "folded copy of the attribute, a derived one with canonical:(\(column.column)) for instance, and search that."
        )
      }
      return (0..<result.rowCount).map { result.string($0, 0) }
    }

    /// Returns the values of a statement's variables, some of which depend on the contents of columns. The columns are
    /// looked up on a connection, in its open transaction or in one of their own. This is for statements that write.
    func resolved(_ statement: SQLStatement, on connection: ServerConnection) throws -> ServerValues {
      var found: StringValues.Values = [:], flight = Flight()
      for column in statement.columns {
        flight.add(lookUp(column)) { [self] result in found[column] = try values(result, of: column) }
      }
      if flight.statementCount > 0 { try connection.run(flight) }
      return try ServerValues(statement, found)
    }
  }

  extension SQLStatement {
    /// The columns whose values the statement needs.
    var columns: Set<SQLStringColumn> { Set(resolutions.flatMap(\.columns)) }
  }

  extension ServerValues {
    /// Creates the values of a statement whose variables depend on the values of columns.
    init(_ statement: SQLStatement, _ found: StringValues.Values) throws {
      var statement = statement
      for resolution in statement.resolutions {
        let values = resolution.columns.map { found[$0] ?? [] }
        statement.bindings[resolution.binding] = try resolution.value(of: values)
      }
      statement.resolutions = []
      try self.init(statement)
    }
  }
#endif
