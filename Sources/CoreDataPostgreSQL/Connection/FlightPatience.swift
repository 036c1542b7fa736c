#if PostgreSQL
  /// How long a flight waits, and when it asks the server to stop.
  ///
  /// A request that comes before the server has begun is lost, so it is sent again until there is an answer.
  struct FlightPatience {
    enum Step { case wait, cancel, giveUp }

    private let deadline: ContinuousClock.Instant?
    /// When nothing more is waited for; set once the deadline has passed.
    private var end: ContinuousClock.Instant?
    private var nextRequest: ContinuousClock.Instant?
    /// Until when to wait before `next` is asked again.
    private(set) var limit: ContinuousClock.Instant?

    init(deadline: ContinuousClock.Instant?) { self.deadline = deadline }

    var hasDeadlinePassed: Bool { end != nil }

    /// Whether there is nothing to look at the clock for, as long as nobody asks for the flight to be stopped.
    var isBoundless: Bool { deadline == nil && nextRequest == nil }

    /// What to do before waiting for the server.
    /// - Parameters:
    ///   - isAnswered: whether an error came, which may be the answer to a request.
    ///   - isAsked: whether somebody has asked for the flight to be stopped.
    mutating func next(isAnswered: Bool, isAsked: Bool, now: ContinuousClock.Instant = .now) -> Step {
      if end == nil, let deadline, now >= deadline {
        end = now + .seconds(5)
        nextRequest = now
      }
      if let end, now >= end { return .giveUp }
      let stops = (end != nil || isAsked) && !isAnswered
      // Whoever asks has sent the first request.
      if stops, nextRequest == nil { nextRequest = now + .milliseconds(500) }
      var step = Step.wait
      if stops, let request = nextRequest, now >= request {
        step = .cancel
        nextRequest = now + .milliseconds(500)
      }
      // Nobody wakes this thread when somebody asks: it looks once a second.
      limit = min(end ?? deadline ?? now + .seconds(1), now + .seconds(1))
      if stops, let nextRequest { limit = min(limit ?? nextRequest, nextRequest) }
      return step
    }
  }
#endif
