#if PostgreSQL
  /// Is told what a connection runs: for logs, recordings and counts.
  protocol FlightObserver: AnyObject, Sendable {
    /// A flight is about to be sent.
    /// - Returns: what is told how it goes; nil where nobody wants to know.
    func begin(_ flight: Flight) -> (any FlightObservation)?
  }

  /// What is told of one flight.
  protocol FlightObservation: AnyObject {
    /// A statement has its answer.
    /// - Parameter rows: how many rows it gave.
    func end(_ statement: ServerStatement, rows: Int)
  }
#endif
