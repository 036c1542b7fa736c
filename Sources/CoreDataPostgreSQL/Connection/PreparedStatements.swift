#if PostgreSQL
  /// Which statements a connection has prepared, and which it is to let go of.
  ///
  /// A state machine without I/O. A name counts as prepared only when the server has said so: what was sent with it may have
  /// been skipped because of an error before it.
  struct PreparedStatements {
    /// How a statement is to be run.
    enum Use: Equatable {
      /// By its name, which the server has, or will have when it comes to it.
      case named
      /// By its name, after it was prepared.
      case prepare
      /// Without a name: whether the server has it is not known yet.
      case unnamed
    }

    /// How many may be prepared at the beginning of a flight.
    let limit: Int
    /// The names that are prepared, with the time of their last use.
    private var uses: [StatementName: Int] = [:]
    /// The names whose preparation was sent in this flight and not answered yet, with the segment that it is in.
    private var sent: [StatementName: Int] = [:]
    /// The names that the server has and is to forget.
    private var surplus: Set<StatementName> = []
    private var time = 0

    init(limit: Int = 256) { self.limit = limit }

    var count: Int { uses.count }

    /// A flight begins.
    /// - Parameter isIdle: whether no transaction is open. Within one nothing is let go of, since it may have failed, and
    ///   its first statement may not be ours.
    /// - Returns: the names to be let go of before anything else.
    mutating func beginFlight(isIdle: Bool) -> [StatementName] {
      if !sent.isEmpty { sent.removeAll(keepingCapacity: true) }
      guard isIdle else { return [] }
      while uses.count > limit, let oldest = uses.min(by: { $0.value < $1.value })?.key { discard(oldest) }
      return surplus.isEmpty ? [] : surplus.sorted { $0.text < $1.text }
    }

    /// A statement is to be run in a segment of the flight.
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

    /// The server has prepared a statement.
    mutating func confirm(_ name: StatementName) {
      sent[name] = nil
      uses[name] = time
    }

    /// The server has not prepared a statement.
    mutating func fail(_ name: StatementName) { sent[name] = nil }

    /// The server has no such statement any more.
    mutating func forget(_ name: StatementName) {
      uses[name] = nil
      surplus.remove(name)
    }

    /// A statement is not to be used again as it was prepared.
    mutating func discard(_ name: StatementName) {
      if uses.removeValue(forKey: name) != nil { surplus.insert(name) }
    }
  }
#endif
