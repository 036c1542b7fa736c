import Foundation
import Testing

/// Runs the command-line tool as a process of its own, as a user does.
///
/// The counters belong to a process: in this one, other tests would count too.
struct Tool {
  let status: Int32
  let output: String
  let errors: String

  init(_ arguments: String...) throws { try self.init(arguments) }

  init(_ arguments: [String]) throws {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    // SwiftPM puts the tool beside the test bundle.
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "coredata")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Progress is short enough for the pipe, so one may be read after the other.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  /// The output as JSON.
  func json() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any], "\(errors)\(output)")
  }

  /// The tests in the output, by name.
  func tests() throws -> [String: [String: Any]] {
    let tests = try #require(json()["tests"] as? [[String: Any]])
    return Dictionary(uniqueKeysWithValues: tests.compactMap { test in (test["name"] as? String).map { ($0, test) } })
  }

  /// A count of one test.
  func count(_ key: String, of test: String) throws -> Int {
    try #require(tests()[test]?[key] as? NSNumber).intValue
  }
}
