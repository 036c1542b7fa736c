import Foundation
import Synchronization

/// Runs the command-line tool, or another program of the package, as a process of its own, as a user does.
///
/// The counters belong to a process: in this one, other tests would count too.
package struct Tool {
  package let status: Int32
  package let output: String
  package let errors: String

  package init(_ arguments: String...) throws { try self.init(arguments) }

  /// - Parameters:
  ///   - environment: variables that it gets besides those of this process.
  ///   - openFiles: how many files it may have open; nil for as many as this process.
  package init(
    program: String = "coredata", _ arguments: [String], environment: [String: String] = [:], openFiles: Int? = nil
  ) throws {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    // SwiftPM puts programs beside the test bundle.
    let place = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: program)
    process.executableURL = openFiles == nil ? place : URL(fileURLWithPath: "/bin/sh")
    // The shell lowers the limit of itself, and becomes the program.
    process.arguments =
      openFiles.map { ["-c", "ulimit -n \($0) && exec \"$0\" \"$@\"", place.path] + arguments } ?? arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Both at once: a program would wait for a full pipe that nobody reads.
    let errorText = Mutex("")
    let readers = DispatchGroup()
    DispatchQueue.global().async(group: readers) {
      let text = Self.text(errors)
      errorText.withLock { $0 = text }
    }
    self.output = Self.text(output)
    readers.wait()
    self.errors = errorText.withLock { $0 }
    process.waitUntilExit()
    status = process.terminationStatus
  }

  /// All that comes through a pipe. Foundation's own way stops the program when a signal interrupts it.
  private static func text(_ pipe: Pipe) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The output as JSON; empty when it is something else.
  package func json() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
  }
}
