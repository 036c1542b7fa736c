#if PostgreSQL
  /// The statements that a connection has prepared, and those that it has to deallocate.
  ///
  /// A state machine without I/O. A name counts as prepared only after the server has confirmed it, because an earlier error
  /// may have made the server skip the preparation.
  struct PreparedStatements {
    /// The way in which a statement is run.
    enum Use: Equatable {
      /// The statement is run by its name. The server has prepared it, or will have prepared it when it runs it.
      case named
      /// The statement is prepared, and then run by its name.
      case prepare
      /// The statement is run without a name, because it is not known yet whether the server has prepared it.
      case unnamed
    }

    /// The largest number of prepared statements at the beginning of a flight.
    let limit: Int
    /// The names that are prepared, with the time of their last use.
    private var uses: [StatementName: Int] = [:]
    /// The names whose preparation was sent in this flight and is not confirmed yet, with the number of the segment.
    private var sent: [StatementName: Int] = [:]
    /// The names of statements that the server still has and that are to be deallocated.
    private var surplus: Set<StatementName> = []
    private var time = 0

    init(limit: Int = 256) { self.limit = limit }

    var count: Int { uses.count }

    /// Begins a flight.
    /// - Parameter isIdle: whether no transaction is open. In a transaction nothing is deallocated, since the transaction may
    ///   have failed, and its first statement may have been sent by other code.
    /// - Returns: the names that have to be deallocated before any statement.
    mutating func beginFlight(isIdle: Bool) -> [StatementName] {
      if !sent.isEmpty { sent.removeAll(keepingCapacity: true) }
      guard isIdle else { return [] }
      while uses.count > limit, let oldest = uses.min(by: { $0.value < $1.value })?.key { discard(oldest) }
      return surplus.isEmpty ? [] : surplus.sorted { $0.text < $1.text }
    }

    /// Returns how to run a statement in a segment of the flight.
    mutating func use(_ name: StatementName, in segment: Int) -> Use {
      time += 1
      if let place = uses.index(forKey: name) {
        uses.values[place] = time
        return .named
      }
      if name.isEmpty || surplus.contains(name) { return .unnamed }
      if let other = sent[name] { return other == segment ? .named : .unnamed }
      sent[name] = segment
      return .prepare
    }

    /// Notes that the server has prepared a statement.
    mutating func confirm(_ name: StatementName) {
      sent[name] = nil
      uses[name] = time
    }

    /// Notes that the server has not prepared a statement.
    mutating func fail(_ name: StatementName) { sent[name] = nil }

    /// Notes that the server does not have a statement any more.
    mutating func forget(_ name: StatementName) {
      uses[name] = nil
      surplus.remove(name)
    }

    /// Notes that a prepared statement must not be used again.
    mutating func discard(_ name: StatementName) {
      if uses.removeValue(forKey: name) != nil { surplus.insert(name) }
    }
  }
#endif
