#if PostgreSQL
  /// Statements that are sent together; nothing waits before the end.
  ///
  /// It consists of segments, each of which ends with a sync: an error skips the rest of its segment, and the next one runs.
  struct Flight {
    /// Called with each result of a statement; while rows are streamed, with each lot of them.
    typealias Handler = (borrowing ServerResult) throws -> Void

    /// A statement with its values: an object, since a step is looked at several times on its way, and a copy of all that it
    /// has is several counts.
    final class Request {
      let statement: ServerStatement
      let values: ServerValues
      /// Whether the rows come while they are read.
      let streams: Bool
      let handler: Handler?

      init(_ statement: ServerStatement, _ values: consuming ServerValues, streams: Bool, _ handler: Handler?) {
        (self.statement, self.values, self.streams, self.handler) = (statement, values, streams, handler)
      }
    }

    enum Step {
      case statement(Request)
      case sync
    }

    private(set) var steps: [Step] = []
    private(set) var statementCount = 0
    /// How many statements are work of contexts, and how many of these read rows.
    private(set) var workCount = 0, selectCount = 0
    /// The first value that cannot be sent.
    private(set) var problem: ServerValueError?

    init() {}

    /// Adds a statement. One whose rows are streamed gets no call at the end, where they have all been given.
    /// - Parameter streams: whether the rows come while they are read, each result with one or a few.
    mutating func add(
      _ statement: ServerStatement, _ values: consuming ServerValues = ServerValues(), streams: Bool = false,
      _ onResult: Handler? = nil
    ) {
      if problem == nil { problem = values.problem ?? Self.problem(of: values) }
      // A save has about ten: no growing step by step.
      if steps.isEmpty { steps.reserveCapacity(12) }
      steps.append(.statement(Request(statement, values, streams: streams, onResult)))
      statementCount += 1
      if statement.isWork {
        workCount += 1
        if statement.isSelect { selectCount += 1 }
      }
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
