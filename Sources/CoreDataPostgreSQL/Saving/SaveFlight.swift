#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The statements of one save in one flight, from BEGIN to COMMIT. The save does not wait for an answer in between, and
  /// after an error the server skips all later statements, including COMMIT.
  struct SaveFlight {
    /// The rows that a statement checks: they must exist in the versions that the context has read.
    struct Guarded {
      let entity: SQLEntity
      let rows: ContiguousArray<(key: Int64, version: Int64)>
      /// Whether the row may have been deleted.
      let mayBeGone: Bool
    }

    /// The pairs that are added to and removed from a table of pairs.
    struct Pairs {
      let table, owner, member: String
      var removed: ContiguousArray<(owner: Int64, member: Int64)> = []
      var added: ContiguousArray<(owner: Int64, member: Int64)> = []
    }

    let store: ServerStore
    var flight = Flight()
    /// The rows that statements check, by the numbers of the statements.
    private(set) var guards: [Int: Guarded] = [:]
    /// The number of the statement that checks that the store was not migrated.
    var versionCheck: Int?
    /// The pairs that still have to be written.
    var pairs: [RelationID: Pairs] = [:]

    init(_ store: ServerStore) { self.store = store }

    var dialect: any SQLDialect { store.schema.dialect }

    mutating func add(
      _ statement: ServerStatement, _ values: consuming ServerValues = ServerValues(),
      _ onResult: Flight.Handler? = nil
    ) {
      flight.add(statement, values, onResult)
    }

    /// Adds a statement that checks rows. If a row is not in the version that was read, a division by zero ends the save.
    mutating func add(_ statement: ServerStatement, _ values: consuming ServerValues, checking guarded: Guarded) {
      guards[flight.statementCount] = guarded
      flight.add(statement, values)
    }

    func quoted(_ name: String) -> String { dialect.quoted(name) }

    /// `$1, $2, $3`
    static func variables(_ count: Int) -> String { (1...count).map { "$\($0)" }.joined(separator: ", ") }

    static func arrays(_ types: [SQLColumnType]) -> [UInt32] {
      types.map { ServerType.array(of: ServerType.of($0)) }
    }
  }
#endif
