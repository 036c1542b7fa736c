#if PostgreSQL
  import Foundation

  /// Waiting for a socket that another thread can end.
  final class WakingSocket: Sendable {
    /// The ends of a pipe; -1 where the system had none to give.
    private let reading, writing: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      if pipe(&ends) != 0 { ends = [-1, -1] }
      (reading, writing) = (ends[0], ends[1])
      for end in ends where end >= 0 {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }

    deinit { for end in [reading, writing] where end >= 0 { close(end) } }

    /// Ends this wait and all that come.
    func wake() {
      var byte: UInt8 = 1
      if writing >= 0 { _ = write(writing, &byte, 1) }
    }

    /// Returns when a socket can be read from or has failed, after so many seconds, or when it is woken.
    /// - Parameter socket: -1 waits for the rest.
    func wait(for socket: Int32 = -1, seconds: Double) {
      var entries = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      ]
      // Who cannot be woken looks up often.
      let longest = reading < 0 ? 0.5 : seconds
      _ = poll(&entries, 2, Int32(max(0, min(seconds, longest)) * 1000))
    }
  }
#endif
