#if PostgreSQL
  /// Decides how long a flight waits, and when it asks the server to stop.
  ///
  /// A request to stop is lost if it comes before the server has begun with the statement. So it is sent again until there is
  /// an answer.
  struct FlightPatience {
    enum Step { case wait, cancel, giveUp }

    private let deadline: ContinuousClock.Instant?
    /// The time at which waiting ends. It is set when the deadline has passed.
    private var end: ContinuousClock.Instant?
    private var nextRequest: ContinuousClock.Instant?
    /// The time at which `next` has to be called again.
    private(set) var limit: ContinuousClock.Instant?

    init(deadline: ContinuousClock.Instant?) { self.deadline = deadline }

    var hasDeadlinePassed: Bool { end != nil }

    /// Whether the clock need not be read, as long as no thread asks for the flight to be stopped.
    var isBoundless: Bool { deadline == nil && nextRequest == nil }

    /// Decides what to do before the thread waits for the server.
    /// - Parameters:
    ///   - isAnswered: whether an error came, which may be the answer to a request to stop.
    ///   - isAsked: whether another thread has asked for the flight to be stopped.
    mutating func next(isAnswered: Bool, isAsked: Bool, now: ContinuousClock.Instant = .now) -> Step {
      if end == nil, let deadline, now >= deadline {
        end = now + .seconds(5)
        nextRequest = now
      }
      if let end, now >= end { return .giveUp }
      let stops = (end != nil || isAsked) && !isAnswered
      // The thread that asks for a stop has sent the first request itself.
      if stops, nextRequest == nil { nextRequest = now + .milliseconds(500) }
      var step = Step.wait
      if stops, let request = nextRequest, now >= request {
        step = .cancel
        nextRequest = now + .milliseconds(500)
      }
      // The thread that asks for a stop does not wake this one. So this thread looks once a second whether it was asked.
      limit = min(end ?? deadline ?? now + .seconds(1), now + .seconds(1))
      if stops, let nextRequest { limit = min(limit ?? nextRequest, nextRequest) }
      return step
    }
  }
#endif
