#if PostgreSQL
  import Foundation
  import OpenCocoaFoundation
  @_spi(Store) import OpenCoreData

  // Statements with variables that depend on the contents of columns. The values of these columns are looked up first,
  // in the same transaction.
  extension ServerReadTransaction {
    /// Sends a statement and passes on its results.
    ///
    /// If values are known from earlier, the statement goes with them in the first flight. It is sent again if the
    /// transaction turns out to read another state than the one to which the values belong.
    /// - Parameters:
    ///   - latest: whether the statement must see everything committed so far.
    ///   - begin: called before each attempt.
    ///   - more: adds statements that are sent together with this one.
    func run(
      _ prepared: PreparedStatement, latest: Bool, watch: FetchWatch? = nil, streams: Bool = false,
      begin: () -> Void, with more: (inout ReadFlight) -> Void = { _ in }, _ onResult: @escaping ReadFlight.Handler
    ) throws {
      func run(_ values: ServerValues, latest: Bool, _ onResult: @escaping ReadFlight.Handler) throws {
        try read(latest: latest, watch: watch) { flight in
          begin()
          flight.add(prepared.statement, values, streams: streams, onResult)
          more(&flight)
        }
      }
      if let values = prepared.values { return try run(values, latest: latest, onResult) }
      let columns = prepared.source.columns
      var isLatest = latest
      if let known = store.stringValues.find(columns) {
        let isOpen = !latest && moment == known.moment
        try run(try judged(prepared, known.values, watch), latest: latest) { result, commit in
          if isOpen || commit == known.moment { try onResult(result, commit) }
        }
        if moment == known.moment { return }
        isLatest = false
      }
      // The pool may take the connection back in between, and then the statement runs in another transaction.
      for _ in 0..<10 {
        let found = try lookUp(columns, latest: isLatest, watch)
        let values = try judged(prepared, found.values, watch)
        try run(values, latest: false, onResult)
        if moment == found.moment, moment != .max { return }
        isLatest = false
      }
      throw NSError(
        coreData: NSPersistentStoreOperationError,
        "The store at \(store.place) is changed so often that a comparison of strings was never answered in one state.")
    }

    /// Returns the values of a statement's variables. The watch can stop this work.
    private func judged(
      _ prepared: PreparedStatement, _ values: StringValues.Values, _ watch: FetchWatch?
    ) throws -> ServerValues {
      try watch?.check()
      return try EvaluationLimit.run(watch?.evaluationLimit) { try ServerValues(prepared.source, values) }
    }

    private func lookUp(
      _ columns: Set<SQLStringColumn>, latest: Bool, _ watch: FetchWatch?
    ) throws -> (moment: UInt64, values: StringValues.Values) {
      var found: StringValues.Values = [:]
      try read(latest: latest, watch: watch) { [store] flight in
        found = [:]
        for column in columns {
          flight.add(store.lookUp(column)) { result, _ in found[column] = try store.values(result, of: column) }
        }
      }
      // A generation at an unknown moment has no number of its own, and a transaction that has just ended has no
      // moment.
      if moment != 1 << 63, moment != .max { store.stringValues.keep(found, of: moment) }
      return (moment, found)
    }
  }

  /// A statement in the form in which it is sent.
  struct PreparedStatement: Sendable {
    let source: SQLStatement
    let statement: ServerStatement
    /// The values of the statement's variables; nil if they depend on the contents of columns.
    let values: ServerValues?

    init(_ source: SQLStatement) throws {
      self.source = source
      statement = try ServerStatement(source)
      values = source.resolutions.isEmpty ? try ServerValues(source) : nil
    }

    private init(_ source: SQLStatement, _ statement: ServerStatement) throws {
      self.source = source
      self.statement = statement
      values = try ServerValues(source)
    }

    /// Returns the same statement with other values of its variables, none of which depends on the contents of columns.
    func with(_ values: [SQLValue]) throws -> PreparedStatement {
      var source = source
      source.bindings = values
      return try PreparedStatement(source, statement)
    }
  }
#endif
