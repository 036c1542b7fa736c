#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The statements of one read. They are sent together with the statements that begin their transaction.
  struct ReadFlight {
    /// Handles a result, or a part of a result. The number is that of the commit at which the result was read.
    typealias Handler = (borrowing ServerResult, UInt64) throws -> Void

    struct Part {
      let statement: ServerStatement
      let values: ServerValues
      let streams: Bool
      let onResult: Handler
    }

    private(set) var parts: [Part] = []

    /// - Parameter streams: whether rows come one by one, each as a result, so that a large result needs little memory.
    mutating func add(
      _ statement: ServerStatement, _ values: ServerValues = ServerValues(), streams: Bool = false,
      _ onResult: @escaping Handler
    ) {
      parts.append(Part(statement: statement, values: values, streams: streams, onResult: onResult))
    }
  }
#endif
