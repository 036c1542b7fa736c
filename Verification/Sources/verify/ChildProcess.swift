import Foundation

/// Runs a check in a process of its own: an exception, a crash or a wait without end is what it finds then.
enum ChildProcess {
  static let patience: TimeInterval = 600

  static func find(_ index: Int) -> String {
    let process = Process()
    process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--run", "\(index)"]
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch { return "cannot be run: \(error)" }
    if ended.wait(timeout: .now() + patience) == .timedOut {
      process.terminate()
      return "no end after \(Int(patience)) s"
    }
    let found = text(output)
    if process.terminationStatus == 0, process.terminationReason == .exit { return found }
    let reason = text(errors).split(separator: "\n").first { $0.contains("reason:") || $0.contains("rror:") }
    return "the program ended: \(reason ?? "signal \(process.terminationStatus)")"
  }

  private static func text(_ pipe: Pipe) -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
