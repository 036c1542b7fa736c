#if PostgreSQL
  /// An object that is told what a connection runs: for logs, recordings and counts.
  protocol FlightObserver: AnyObject, Sendable {
    /// Called before a flight is sent.
    /// - Returns: the object that is told about the flight's statements; nil if no observer needs to know about them.
    func begin(_ flight: Flight) -> (any FlightObservation)?
  }

  /// An object that is told about the statements of one flight.
  protocol FlightObservation: AnyObject {
    /// Called when a statement has its answer.
    /// - Parameter rows: the number of rows that it gave.
    func end(_ statement: ServerStatement, rows: Int)
  }
#endif
