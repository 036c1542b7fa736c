#if PostgreSQL
  /// Decides how long a flight waits, and when it asks the server to stop.
  ///
  /// A request to stop that comes before the server has begun is lost, so the request is sent again until there is an
  /// answer.
  struct FlightPatience {
    enum Step { case wait, cancel, giveUp }

    private let deadline: ContinuousClock.Instant?
    /// When the flight stops waiting; set once the deadline has passed.
    private var end: ContinuousClock.Instant?
    private var nextRequest: ContinuousClock.Instant?
    /// The time until which to wait before `next` is called again.
    private(set) var limit: ContinuousClock.Instant?

    init(deadline: ContinuousClock.Instant?) { self.deadline = deadline }

    var hasDeadlinePassed: Bool { end != nil }

    /// Whether the flight need not look at the clock while nobody asks it to stop.
    var isBoundless: Bool { deadline == nil && nextRequest == nil }

    /// Decides what to do before the flight waits for the server.
    /// - Parameters:
    ///   - isAnswered: whether an error has come, which may be the answer to a request to stop.
    ///   - isAsked: whether a caller has asked for the flight to be stopped.
    mutating func next(isAnswered: Bool, isAsked: Bool, now: ContinuousClock.Instant = .now) -> Step {
      if end == nil, let deadline, now >= deadline {
        end = now + .seconds(5)
        nextRequest = now
      }
      if let end, now >= end { return .giveUp }
      let stops = (end != nil || isAsked) && !isAnswered
      // The caller that asks for the stop has sent the first request.
      if stops, nextRequest == nil { nextRequest = now + .milliseconds(500) }
      var step = Step.wait
      if stops, let request = nextRequest, now >= request {
        step = .cancel
        nextRequest = now + .milliseconds(500)
      }
      // A request to stop does not wake this thread, so the thread looks once a second.
      limit = min(end ?? deadline ?? now + .seconds(1), now + .seconds(1))
      if stops, let nextRequest { limit = min(limit ?? nextRequest, nextRequest) }
      return step
    }
  }
#endif
