#if PostgreSQL
  /// Statements that are sent together, so that the client waits only once, for the last answer.
  ///
  /// A flight consists of segments, each of which ends with a sync. After an error the server skips the rest of the segment,
  /// and goes on with the next one.
  struct Flight {
    /// Called with each result of a statement. While rows are streamed, it is called with each lot of rows.
    typealias Handler = (borrowing ServerResult) throws -> Void

    /// A statement with its values. It is a class, because a step is read several times while it is sent and answered, and a
    /// copy of a struct would count a reference for each of its parts.
    final class Request {
      let statement: ServerStatement
      let values: ServerValues
      /// Whether the handler gets rows while further rows are still being read.
      let streams: Bool
      let handler: Handler?
      let role: Role

      init(
        _ statement: ServerStatement, _ values: consuming ServerValues, streams: Bool, role: Role, _ handler: Handler?
      ) {
        (self.statement, self.values, self.streams, self.handler) = (statement, values, streams, handler)
        self.role = role
      }
    }

    /// What a statement is for the flight.
    enum Role {
      case usual
      /// The handler notes what was done in the store: it is called even after another one has failed, and its own errors
      /// are ignored then.
      case note
      /// As `note`, and the statement commits the transaction: once it was sent, the server is not asked to stop, since a
      /// COMMIT that is stopped while it waits for a standby has taken place, without the standby.
      case commit
    }

    enum Step {
      case statement(Request)
      case sync
    }

    private(set) var steps: [Step] = []
    private(set) var statementCount = 0
    /// The number of statements that are work of contexts, and the number of these that read rows.
    private(set) var workCount = 0, selectCount = 0
    /// The error of the first value that cannot be sent.
    private(set) var problem: ServerValueError?
    /// The place of the step that commits; nil if none does.
    private(set) var commit: Int?

    init() {}

    /// Adds a statement. The handler of a statement whose rows are streamed is not called at the end, because it has got all
    /// rows by then.
    /// - Parameters:
    ///   - streams: whether the handler gets rows while further rows are still being read, one or a few with each
    ///     result.
    ///   - role: what the statement is for the flight.
    mutating func add(
      _ statement: ServerStatement, _ values: consuming ServerValues = ServerValues(), streams: Bool = false,
      role: Role = .usual, _ onResult: Handler? = nil
    ) {
      if problem == nil { problem = values.problem ?? Self.problem(of: values) }
      // A save has about ten statements. Reserving room for them once is faster than growing step by step.
      if steps.isEmpty { steps.reserveCapacity(12) }
      if role == .commit { commit = steps.count }
      steps.append(.statement(Request(statement, values, streams: streams, role: role, onResult)))
      statementCount += 1
      if statement.isWork {
        workCount += 1
        if statement.isSelect { selectCount += 1 }
      }
    }

    /// Ends a segment. After an error, the server skips the statements up to here.
    mutating func sync() { steps.append(.sync) }

    var endsWithSync: Bool {
      if case .sync = steps.last { return true }
      return false
    }

    private static func problem(of values: ServerValues) -> ServerValueError? {
      if values.count > 65_535 { return .tooMany }
      // All values of a statement go in one message, whose length is limited.
      return values.bytes.count + 6 * values.count > ServerValues.maximumLength ? .tooLong : nil
    }
  }
#endif
