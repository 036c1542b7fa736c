import ArgumentParser
import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// `swift run MultiThread`: one context writes objects, and another context reads how many there are.
@main struct MultiThreadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "MultiThread",
    abstract: "Saves objects one by one in a background context, and shows from the view context how far it is.",
    discussion: """
      Without --store the store is a temporary file, removed in the end. In a store that holds some of the objects, the \
      rest is inserted.

      Core Data's launch arguments work, such as -com.apple.CoreData.ConcurrencyDebug 1.
      """)

  @Option(help: "How many objects to insert, with a save after each.")
  var count = 10_000

  @Option(help: "Keep the objects in this SQLite file.")
  var store: String?

  @Flag(help: "Print one JSON object and nothing else on standard output.")
  var json = false

  @Flag(help: "Let coredata attach and the studio look into the program while it runs.")
  var listen = false

  @Flag(help: "Use one context from two threads, which the concurrency check stops.")
  var wrong = false

  @Option(help: "Migrate a new store in about so many seconds, on another thread, in place of saving.")
  var migrate: Double?

  static func main() async { await main(LaunchArguments.removed(from: Array(CommandLine.arguments.dropFirst()))) }

  func validate() throws {
    if count < 1 { throw ValidationError("--count must be 1 or more, not \(count).") }
    if let migrate, !(0.1...600).contains(migrate) {
      throw ValidationError("--migrate must be 0.1 to 600 seconds, not \(migrate).")
    }
    if migrate != nil, wrong || store != nil {
      throw ValidationError("--migrate makes a store of its own, and does nothing else.")
    }
    if store?.isEmpty == true { throw ValidationError("--store needs the path of a file.") }
  }

  func run() async throws {
    if wrong { WrongVersion.switchOnCheck() }
    if listen { try Listening.begin() }
    let folder = FileManager.default.temporaryDirectory.appending(path: "MultiThread-\(UUID().uuidString)")
    defer { if store == nil { try? FileManager.default.removeItem(at: folder) } }
    let url = store.map { URL(fileURLWithPath: $0) } ?? folder.appending(path: "MultiThread.sqlite")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let session = await Session(url: url, count: count)
    if wrong {
      let found = try await session.runWrongly()
      throw ToolError(
        "Nobody stopped it, since the concurrency check is off. \(found) of \(count) objects are there.")
    }
    if let migrate {
      let report = try await session.migrate(in: .seconds(migrate))
      return print(json ? try report.json() : report.text)
    }
    let report = try await session.run()
    print(json ? try report.json() : report.text)
  }
}
