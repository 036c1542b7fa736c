#if PostgreSQL
  import Foundation

  /// Waits for a socket; another thread can end the wait.
  final class WakingSocket: Sendable {
    /// The ends of a pipe; -1 if the system could not make one.
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

    /// Ends the current wait and all later ones.
    func wake() {
      var byte: UInt8 = 1
      if writing >= 0 { _ = write(writing, &byte, 1) }
    }

    /// Waits until a socket can be read from or has failed, until these seconds have passed, or until `wake` is called.
    /// - Parameter socket: with -1, there is no socket to wait for.
    func wait(for socket: Int32 = -1, seconds: Double) {
      var entries = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      ]
      // Without a pipe the wait cannot be ended, so it is short.
      let longest = reading < 0 ? 0.5 : seconds
      _ = poll(&entries, 2, Int32(max(0, min(seconds, longest)) * 1000))
    }
  }
#endif
