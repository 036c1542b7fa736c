#if PostgreSQL
  import Foundation

  /// Waits for a connection's socket.
  enum ServerSocket {
    struct Events: OptionSet {
      let rawValue: Int
      static let readable = Events(rawValue: 1), writable = Events(rawValue: 2)
    }

    /// Waits until a socket can be read from, or written to; returns no events if the deadline passes.
    static func wait(
      for socket: Int32, reading: Bool = true, writing: Bool, until deadline: ContinuousClock.Instant?
    ) -> Events {
      var entry = pollfd(fd: socket, events: Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), revents: 0)
      while true {
        let count = poll(&entry, 1, deadline.map(milliseconds) ?? -1)
        // A signal has interrupted the call.
        if count < 0, errno == EINTR { continue }
        // Reading the socket reports the error.
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

    /// Waits until a socket can be read from, or written to, or until this time has passed; a signal may end the wait
    /// early.
    static func wait(for socket: Int32, writing: Bool, milliseconds: Int32) -> Events {
      var entry = pollfd(fd: socket, events: Int16(POLLIN | (writing ? POLLOUT : 0)), revents: 0)
      let count = poll(&entry, 1, milliseconds)
      if count == 0 || count < 0 && errno == EINTR { return [] }
      return count < 0 ? .readable : events(entry)
    }

    /// Returns the events of a socket that was polled for reading, too.
    private static func events(_ entry: pollfd) -> Events {
      var events: Events = []
      if entry.revents & Int16(POLLOUT) != 0 { events.insert(.writable) }
      if entry.revents & ~Int16(POLLOUT) != 0 { events.insert(.readable) }
      return events
    }

    /// Whether the other side has closed a socket, or the socket has failed. This reads no data.
    static func isClosed(_ socket: Int32) -> Bool {
      let hangUp = 0x2000  // POLLRDHUP
      var entry = pollfd(fd: socket, events: Int16(hangUp), revents: 0)
      return socket < 0 || poll(&entry, 1, 0) > 0
    }

    /// Returns the time from now to an instant, rounded up, so that the wait ends after the instant and not just
    /// before.
    private static func milliseconds(to instant: ContinuousClock.Instant) -> Int32 {
      let (seconds, attoseconds) = (instant - .now).components
      if seconds < 0 || attoseconds < 0 { return 0 }
      if seconds > 1_000_000 { return 1_000_000_000 }
      return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  }
#endif
