import Foundation
import Testing
import ToolProcess

/// Programs of the package that ran with a recording, in a folder that goes with this object.
final class Recorded {
  let folder: URL
  let recording: URL
  /// What the program said.
  let program: Tool

  /// Runs a program.
  init(_ program: String = "coredata", _ arguments: [String]) throws {
    folder = try Self.folder()
    recording = folder.appending(path: "work.ocdinstruments")
    self.program = try Tool(
      program: program, arguments, environment: ["COREDATA_INSTRUMENTS": recording.path])
    try #require(self.program.status == 0, "\(self.program.errors)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Tests of the performance example, on a store that another program has loaded, so that no row is in the row cache.
  /// Relationships have so many members that only faults of single objects are worth sparing.
  static func tune(_ tests: [String], _ options: String...) throws -> Recorded {
    let size = ["--people", "60", "--selfies", "30", "--networks", "50", "--json"]
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = ["--store", folder.appending(path: "tune.sqlite").path]
    let load = try Tool(["tune"] + size + store + ["--test", "DidFault"])
    try #require(load.status == 0, "\(load.errors)")
    return try Recorded("coredata", ["tune"] + size + store + tests.flatMap { ["--test", $0] } + options)
  }

  static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "InstrumentsCommandTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// What the tool makes of the recording.
  func instruments(_ options: String...) throws -> Tool {
    let tool = try Tool(["instruments", recording.path] + options)
    try #require(tool.status == 0, "\(tool.errors)")
    return tool
  }

  func findings() throws -> [FoundThing] {
    let all = try JSONDecoder().decode(Findings.self, from: Data(instruments("--format", "json").output.utf8))
    return all.findings
  }

  private struct Findings: Decodable {
    var findings: [FoundThing]
  }
}

/// A finding as the tool's JSON has it.
struct FoundThing: Decodable {
  var kind: String
  var title: String
  var advice: String
  var caller: String?
  var entity: String?
  var prefetch: [String]?
  var index: [String]?
  var count: Int
  var rows: Int
}
