#if PostgreSQL
  /// Statements that are sent together; nothing waits before the end.
  ///
  /// It consists of segments, each of which ends with a sync: an error skips the rest of its segment, and the next one runs.
  struct Flight {
    /// Called with each result of a statement; while rows are streamed, with each lot of them.
    typealias Handler = (borrowing ServerResult) throws -> Void

    enum Step {
      case statement(ServerStatement, ServerValues, streams: Bool, Handler?)
      case sync
    }

    private(set) var steps: [Step] = []
    private(set) var statementCount = 0
    /// The first value that cannot be sent.
    private(set) var problem: ServerValueError?

    init() {}

    /// Adds a statement. One whose rows are streamed gets no call at the end, where they have all been given.
    /// - Parameter streams: whether the rows come while they are read, each result with one or a few.
    mutating func add(
      _ statement: ServerStatement, _ values: ServerValues = ServerValues(), streams: Bool = false,
      _ onResult: Handler? = nil
    ) {
      if problem == nil { problem = values.problem ?? Self.problem(of: values) }
      steps.append(.statement(statement, values, streams: streams, onResult))
      statementCount += 1
    }

    /// Ends a segment: an error skips the statements up to here.
    mutating func sync() { steps.append(.sync) }

    var endsWithSync: Bool {
      if case .sync = steps.last { return true }
      return false
    }

    private static func problem(of values: ServerValues) -> ServerValueError? {
      if values.count > 65_535 { return .tooMany }
      // One message has all values of a statement.
      return values.bytes.count + 6 * values.count > ServerValues.maximumLength ? .tooLong : nil
    }
  }
#endif
