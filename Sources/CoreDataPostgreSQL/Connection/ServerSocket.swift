#if PostgreSQL
  import Foundation

  /// Waits for a connection's socket.
  enum ServerSocket {
    struct Events: OptionSet {
      let rawValue: Int
      static let readable = Events(rawValue: 1), writable = Events(rawValue: 2)
    }

    /// Waits until a socket can be read from or written to. Returns an empty set at the deadline.
    static func wait(
      for socket: Int32, reading: Bool = true, writing: Bool, until deadline: ContinuousClock.Instant?
    ) -> Events {
      var entry = pollfd(fd: socket, events: Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), revents: 0)
      while true {
        let count = poll(&entry, 1, deadline.map(milliseconds) ?? -1)
        // The call was interrupted by a signal.
        if count < 0, errno == EINTR { continue }
        // Reading from the socket will report the error.
        if count < 0 { return .readable }
        if count > 0 {
          var events: Events = []
          if entry.revents & Int16(POLLOUT) != 0 { events.insert(.writable) }
          if entry.revents & ~Int16(POLLOUT) != 0 { events.insert(reading ? .readable : .writable) }
          return events
        }
        if let deadline, deadline <= .now { return [] }
      }
    }

    /// Waits until a socket can be read from or written to, but at most for the given time. A signal may end the wait early.
    static func wait(for socket: Int32, writing: Bool, milliseconds: Int32) -> Events {
      var entry = pollfd(fd: socket, events: Int16(POLLIN | (writing ? POLLOUT : 0)), revents: 0)
      let count = poll(&entry, 1, milliseconds)
      if count == 0 || count < 0 && errno == EINTR { return [] }
      return count < 0 ? .readable : events(entry)
    }

    /// Returns the events of a socket that was polled. Errors count as readable, because reading will report them.
    private static func events(_ entry: pollfd) -> Events {
      var events: Events = []
      if entry.revents & Int16(POLLOUT) != 0 { events.insert(.writable) }
      if entry.revents & ~Int16(POLLOUT) != 0 { events.insert(.readable) }
      return events
    }

    /// Whether the other side has closed a socket, or the socket has failed. Reads nothing.
    static func isClosed(_ socket: Int32) -> Bool {
      let hangUp = 0x2000  // POLLRDHUP
      var entry = pollfd(fd: socket, events: Int16(hangUp), revents: 0)
      return socket < 0 || poll(&entry, 1, 0) > 0
    }

    /// The time from now to an instant, rounded up, so that the thread wakes after the instant and not just before it.
    private static func milliseconds(to instant: ContinuousClock.Instant) -> Int32 {
      let (seconds, attoseconds) = (instant - .now).components
      if seconds < 0 || attoseconds < 0 { return 0 }
      if seconds > 1_000_000 { return 1_000_000_000 }
      return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  }
#endif
