import Foundation

/// A program in a process of its own. The process and all processes that it starts are stopped together.
final class RunProcess {
  /// The result of a process, with the resources that it used.
  struct Result {
    var output: Data
    /// The end of the process's output on standard error.
    var messages: String
    /// The exit code; nil if a signal ended the process.
    var code: Int32?
    var seconds: Double
    var processorSeconds: Double
    var peakBytes: Int
  }

  private static let outputLimit = 16 << 20
  private static let messageLimit = 8 << 10
  /// The time in which a process has to end by itself after SIGTERM; then it is killed.
  private static let patience = Duration.seconds(2)

  private let process: pid_t
  private let output: Int32
  private let messages: Int32
  private let begin = ContinuousClock.now

  /// Starts the program.
  /// - Parameter environment: The whole environment of the process.
  /// - Throws: a `StudioError` if the program cannot be started.
  init(_ program: URL, _ arguments: [String], environment: [String: String]) throws {
    let out = try Self.pipe(), err: (read: Int32, write: Int32)
    do { err = try Self.pipe() } catch {
      for end in [out.read, out.write] { close(end) }
      throw error
    }
    defer { for end in [out.write, err.write] { close(end) } }
    var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, out.write, 1)
    posix_spawn_file_actions_adddup2(&actions, err.write, 2)
    // The threads of Dispatch block signals, and a server ignores SIGPIPE. The program must receive both kinds of signals, and
    // ends if it writes to a studio that is gone.
    var all = sigset_t(), none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var argv: [UnsafeMutablePointer<CChar>?] = ([program.path] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program.path, &actions, &attributes, &argv, &envp)
    guard code == 0 else {
      for end in [out.read, err.read] { close(end) }
      throw StudioError(
        .internalServerError, "The program cannot be started", "\(program.path): \(String(cString: strerror(code))).")
    }
    (self.process, output, messages) = (process, out.read, err.read)
  }

  deinit { for end in [output, messages] { close(end) } }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else {
      throw StudioError(.internalServerError, "The program cannot be started", String(cString: strerror(errno)) + ".")
    }
    // The child process only gets the copies of these ends that it needs.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads the output of the process until it has ended. Blocks the thread.
  /// - Parameters:
  ///   - isStopped: Called several times a second; if it returns true, the process and its children are ended.
  ///   - line: Called with each line of standard error.
  func run(isStopped: () -> Bool, line: (String) -> Void) -> Result {
    var result = Result(output: Data(), messages: "", code: nil, seconds: 0, processorSeconds: 0, peakBytes: 0)
    var open: Set<Int32> = [output, messages]
    var pending = Data()
    var asked: ContinuousClock.Instant?
    var status: Int32 = 0
    var usage = rusage()
    var hasEnded = false
    while !hasEnded || !open.isEmpty {
      if asked == nil, isStopped() {
        kill(-process, SIGTERM)
        asked = .now
      } else if let since = asked, since.duration(to: .now) > Self.patience {
        kill(-process, SIGKILL)
      }
      var polled = open.sorted().map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&polled, nfds_t(polled.count), hasEnded ? 0 : 100)
      if !hasEnded, wait4(process, &status, WNOHANG, &usage) == process { hasEnded = true }
      // No further output is read after the process has ended, even if a process that it started still has the pipe open.
      if ready <= 0, hasEnded { break }
      for end in polled where end.revents != 0 {
        guard let part = Self.read(end.fd) else {
          open.remove(end.fd)
          continue
        }
        if end.fd == output {
          if result.output.count < Self.outputLimit { result.output += part }
        } else {
          result.messages = String((result.messages + String(decoding: part, as: UTF8.self)).suffix(Self.messageLimit))
          Self.lines(part, &pending).forEach(line)
        }
      }
    }
    kill(-process, SIGKILL)
    result.code = status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    result.seconds = begin.duration(to: .now) / .seconds(1)
    result.processorSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    result.peakBytes = usage.ru_maxrss * 1024
    return result
  }

  private static func read(_ file: Int32) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(file, &bytes, bytes.count)
    return count > 0 ? Data(bytes[..<count]) : nil
  }

  private static func lines(_ part: Data, _ pending: inout Data) -> [String] {
    pending += part
    var lines: [String] = []
    while let end = pending.firstIndex(of: 10) {
      lines.append(String(decoding: pending[..<end], as: UTF8.self))
      pending = Data(pending[(end + 1)...])
    }
    if pending.count > messageLimit { pending = Data() }
    return lines
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
