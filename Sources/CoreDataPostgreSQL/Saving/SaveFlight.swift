#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The statements of one save in one flight, from BEGIN to COMMIT: nothing waits for an answer in between, and an error
  /// skips what comes after it, COMMIT included.
  struct SaveFlight {
    /// What a statement checks: rows that must be there in the versions that the context has read.
    struct Guarded {
      let entity: SQLEntity
      let rows: ContiguousArray<(key: Int64, version: Int64)>
      /// Whether a row that is gone is as good.
      let mayBeGone: Bool
    }

    /// What goes into and out of a table of pairs.
    struct Pairs {
      let table, owner, member: String
      var removed: ContiguousArray<(owner: Int64, member: Int64)> = []
      var added: ContiguousArray<(owner: Int64, member: Int64)> = []
    }

    let store: ServerStore
    var flight = Flight()
    /// By the number of the statement that checks them.
    private(set) var guards: [Int: Guarded] = [:]
    /// The number of the statement that makes sure that nobody has migrated the store.
    var versionCheck: Int?
    /// What is still to be written into tables of pairs.
    var pairs: [RelationID: Pairs] = [:]

    init(_ store: ServerStore) { self.store = store }

    var dialect: any SQLDialect { store.schema.dialect }

    mutating func add(
      _ statement: ServerStatement, _ values: consuming ServerValues = ServerValues(),
      _ onResult: Flight.Handler? = nil
    ) {
      flight.add(statement, values, onResult)
    }

    /// Adds a statement that ends the save with a division by zero where a row is not what was read.
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
