import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation

/// `coredata instruments`: shows the contents of a recording.
struct InstrumentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "instruments",
    abstract: "Shows what a recording has: fetches, faults, saves and statements, and what could be done better.",
    discussion: """
      A program writes a recording if it is started with COREDATA_INSTRUMENTS=FILE in its environment, or between \
      CoreDataInstruments.startRecording(to:) and stopRecording(). Values are not in it.

      Without options there is a summary, and what was found: relationships to prefetch, missing indexes, comparisons that \
      no index serves, rows that nobody read. Times of a group contain those of what lies in it, as a prefetch lies in its \
      fetch. Where a store of the recording is still there, its model is read, and nothing of it changed.

      Exits with 0 whatever was found, with 1 when the file cannot be used, with 64 for wrong arguments.
      """)

  @Argument(help: "The recording.")
  var file: String

  @Flag(help: "List what happened, in its order.")
  var events = false

  @Flag(help: "Show where time went, by the functions that asked.")
  var tree = false

  @Flag(help: "List the statements, the most expensive first, with SQLite's plans.")
  var statements = false

  @Option(parsing: .unconditional, help: "The largest number of events and of statements; 0 for all.")
  var limit: Int = 50

  @Option(help: "table or json.")
  var format = StoreReportFormat.table

  @Option(help: "Write a page with all of it for a browser to this file; it needs nothing else.")
  var html: String?

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must be 0 or more.") }
    if html?.isEmpty == true { throw ValidationError("--html needs the path of a file.") }
    if html != nil, format == .json { throw ValidationError("--html and --format json exclude each other.") }
  }

  func run() throws {
    // If the variable is set, reading the model of a store would begin a recording, which might overwrite the recording that is
    // read.
    unsetenv("COREDATA_INSTRUMENTS")
    let recording = try RecordingFile(ModelInput.url(file))
    if let html { return try write(InstrumentsPage(recording).text(), to: html) }
    let report = recording.report(events: events, tree: tree, statements: statements, limit: limit)
    print(format == .json ? try JSONEncoder.tool.text(of: report) : InstrumentsText(report).text)
  }

  private func write(_ page: String, to path: String) throws {
    let url = ModelInput.url(path)
    do { try Data(page.utf8).write(to: url) } catch {
      throw ToolError("The page cannot be written to \(url.path)", error)
    }
    print(url.path)
  }
}
