#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The statements of one read. They are sent to the server together with the statements that begin the transaction.
  struct ReadFlight {
    /// Called with a result, or a part of one, and the commit to which the rows belong.
    typealias Handler = (borrowing ServerResult, UInt64) throws -> Void

    struct Part {
      let statement: ServerStatement
      let values: ServerValues
      let streams: Bool
      let onResult: Handler
    }

    private(set) var parts: [Part] = []

    /// - Parameter streams: whether the rows come one by one, each as a result, so that a large result is not held in
    ///   memory as a whole.
    mutating func add(
      _ statement: ServerStatement, _ values: ServerValues = ServerValues(), streams: Bool = false,
      _ onResult: @escaping Handler
    ) {
      parts.append(Part(statement: statement, values: values, streams: streams, onResult: onResult))
    }
  }
#endif
