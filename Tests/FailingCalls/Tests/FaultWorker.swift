import Foundation

/// Runs cases, one after the other, in a process of FailingCallsWorker. If the process ends or does not answer, the next case
/// starts a new one.
final class FaultWorker {
  struct Answer {
    /// The text of the last line.
    var text = ""
    /// The problems of the case. That the worker ended or hung is a problem, too.
    var problems: [String] = []
  }

  private let library: URL
  private let folder: URL
  private var process: Process?
  private var input = Pipe(), output = Pipe()
  private var unread = ""

  init(_ library: URL) throws {
    self.library = library
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-faults-\(UUID().uuidString)")
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process?.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Sends an order to the worker, and waits for its answer.
  /// - Parameter seconds: the time without an answer after which the worker is considered to hang.
  func ask(_ order: String, seconds: Int32 = 1800) throws -> Answer {
    if process?.isRunning != true { try start() }
    input.fileHandleForWriting.write(Data("\(order)\n".utf8))
    var answer = Answer()
    while let line = line(seconds) {
      if line.hasPrefix("problem ") {
        answer.problems.append(String(line.dropFirst(8)).replacing("\u{2028}", with: "\n"))
      }
      if line.hasPrefix("done") {
        answer.text = String(line.dropFirst(5))
        return answer
      }
    }
    let hung = process?.isRunning == true
    if hung, let identifier = process?.processIdentifier { kill(identifier, SIGKILL) }
    process?.waitUntilExit()
    answer.problems.append(
      hung ? "no answer within \(seconds) seconds" : "the process ended: \(process?.terminationStatus ?? 0)")
    process = nil
    return answer
  }

  private func start() throws {
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (input, output, unread) = (Pipe(), Pipe(), "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "FailingCallsWorker")
    process.arguments = [folder.path]
    process.environment = ProcessInfo.processInfo.environment.merging(["LD_PRELOAD": library.path]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    // The worker prints expected messages there, about faults that it cannot report as errors.
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
  }

  /// Returns the next line; nil if the worker has ended or none comes in time.
  private func line(_ seconds: Int32) -> String? {
    let file = output.fileHandleForReading.fileDescriptor
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let end = Date(timeIntervalSinceNow: TimeInterval(seconds))
    while true {
      if let newline = unread.firstIndex(of: "\n") {
        let line = String(unread[..<newline])
        unread = String(unread[unread.index(after: newline)...])
        return line
      }
      var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, 1000)
      if ready <= 0 {
        if Date() > end { return nil }
        continue
      }
      let count = read(file, &buffer, buffer.count)
      if count > 0 { unread += String(decoding: buffer[..<count], as: UTF8.self) }
      if count == 0 {
        // The worker has closed its output, so it is about to end.
        process?.waitUntilExit()
        return nil
      }
    }
  }
}
