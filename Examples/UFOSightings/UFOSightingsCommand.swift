import ArgumentParser
import CoreData
import ExampleSupport
import Foundation

/// `swift run UFOSightings`: imports, counts, searches and ships many sightings.
@main struct UFOSightingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "UFOSightings",
    abstract:
      "Imports sightings from JSON in two ways, counts them in four, searches them in four, and ships a store.",
    discussion: """
      Without --folder the JSON and the stores are temporary files, removed in the end.

      Core Data's launch arguments work, such as -com.apple.CoreData.SQLDebug 1.
      """)

  @Option(help: "How many sightings to generate.")
  var count = 60_000

  @Option(help: "What to look for in the places' names: the beginning of a word.")
  var search = "mala"

  @Option(help: "Make a store to be shipped at this path, and stop.")
  var makeSeed: String?

  @Option(help: "Start with this shipped store, which is copied if the folder has none, instead of importing.")
  var seed: String?

  @Option(help: "Keep the JSON and the stores in this folder. Stores that are there are used again.")
  var folder: String?

  @Flag(help: "Print one JSON object and nothing else on standard output.")
  var json = false

  static func main() async { await main(LaunchArguments.removed(from: Array(CommandLine.arguments.dropFirst()))) }

  func validate() throws {
    if count < 1 { throw ValidationError("--count must be 1 or more, not \(count).") }
    if search.isEmpty { throw ValidationError("--search needs a text.") }
    if makeSeed != nil, seed != nil { throw ValidationError("--make-seed and --seed exclude each other.") }
  }

  func run() async throws {
    let temporary = FileManager.default.temporaryDirectory.appending(path: "UFOSightings-\(UUID().uuidString)")
    defer { if folder == nil { try? FileManager.default.removeItem(at: temporary) } }
    let place = folder.map { URL(fileURLWithPath: $0) } ?? temporary
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let session = await Session(folder: place, count: count, sought: search)
    let report: Report
    if let makeSeed {
      report = try await session.makeSeed(URL(fileURLWithPath: makeSeed))
    } else if let seed {
      report = try await session.run(seed: URL(fileURLWithPath: seed))
    } else {
      report = try await session.run()
    }
    print(json ? try report.json() : report.text)
  }
}
