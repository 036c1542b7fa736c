#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The statements of one save in one flight, from BEGIN to COMMIT. The client waits for no answer in between, and an
  /// error skips the statements after it, including COMMIT.
  struct SaveFlight {
    /// The rows that a statement checks: they must exist in the versions that the context has read.
    struct Guarded {
      let entity: SQLEntity
      let rows: ContiguousArray<(key: Int64, version: Int64)>
      /// Whether a row that is gone is accepted, too.
      let mayBeGone: Bool
    }

    /// The pairs that are removed from a join table and added to it.
    struct Pairs {
      let table, owner, member: String
      var removed: ContiguousArray<(owner: Int64, member: Int64)> = []
      var added: ContiguousArray<(owner: Int64, member: Int64)> = []
    }

    let store: ServerStore
    var flight = Flight()
    /// The rows that a statement checks, by the number of the statement.
    private(set) var guards: [Int: Guarded] = [:]
    /// The number of the statement that checks that the store was not migrated.
    var versionCheck: Int?
    /// The pairs that are still to be written into join tables.
    var pairs: [RelationID: Pairs] = [:]

    init(_ store: ServerStore) { self.store = store }

    var dialect: any SQLDialect { store.schema.dialect }

    mutating func add(
      _ statement: ServerStatement, _ values: consuming ServerValues = ServerValues(),
      role: Flight.Role = .usual, _ onResult: Flight.Handler? = nil
    ) {
      flight.add(statement, values, role: role, onResult)
    }

    /// Adds a statement that ends the save with a division by zero if a row is not as it was read.
    mutating func add(_ statement: ServerStatement, _ values: consuming ServerValues, checking guarded: Guarded) {
      guards[flight.statementCount] = guarded
      flight.add(statement, values)
    }

    func quoted(_ name: String) -> String { dialect.quoted(name) }

    /// Returns variables as text: `$1, $2, $3`.
    static func variables(_ count: Int) -> String { (1...count).map { "$\($0)" }.joined(separator: ", ") }

    static func arrays(_ types: [SQLColumnType]) -> [UInt32] {
      types.map { ServerType.array(of: ServerType.of($0)) }
    }
  }
#endif
