import ArgumentParser
import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// `swift run Search`: shows what it costs to find a text in many ways.
@main struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Search",
    abstract: "Searches sightings in six ways, compares and sorts their places, and keeps canonical texts.",
    discussion: """
      Times are those of the processor. Without --folder the stores are temporary files, removed in the end.

      Core Data's launch arguments work, such as -com.apple.CoreData.SQLDebug 1.
      """)

  @Option(help: "How many sightings there are.")
  var count = 60_000

  @Option(help: "The beginning of a word in a place's name.")
  var search = "mala"

  @Option(help: "Keep the stores in this folder, which must have none yet.")
  var folder: String?

  @Flag(help: "Print one JSON object and nothing else on standard output.")
  var json = false

  static func main() async { await main(LaunchArguments.removed(from: Array(CommandLine.arguments.dropFirst()))) }

  func validate() throws {
    if !(100...1_000_000).contains(count) { throw ValidationError("--count must be 100 to 1000000, not \(count).") }
    if search.words != [search.canonical] {
      throw ValidationError("--search must be letters of one word, not “\(search)”.")
    }
    if folder?.isEmpty == true { throw ValidationError("--folder needs a path.") }
  }

  func run() async throws {
    let place = try WorkingFolder(folder, of: "Search")
    defer { place.remove() }
    try place.requireNoStore()
    let report = try await Session(folder: place.url, count: count, sought: search).run()
    print(json ? try report.json() : report.text)
  }
}
