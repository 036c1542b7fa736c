#if PostgreSQL
  /// Observes what a connection runs: for logs, recordings and counts.
  protocol FlightObserver: AnyObject, Sendable {
    /// Called before a flight is sent.
    /// - Returns: the observer of the flight's statements; nil if the flight is not observed.
    func begin(_ flight: Flight) -> (any FlightObservation)?
  }

  /// Observes one flight.
  protocol FlightObservation: AnyObject {
    /// Called when a statement has its answer.
    /// - Parameter rows: how many rows the statement returned.
    func end(_ statement: ServerStatement, rows: Int)
  }
#endif
