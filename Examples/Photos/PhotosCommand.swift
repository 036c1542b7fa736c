import ArgumentParser
import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// `swift run Photos`: shows the effect of a design and its indexes on a list of photos.
@main struct PhotosCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Photos",
    abstract: "Inserts photos and lists them, in three designs of the model and with three sets of indexes.",
    discussion: """
      Prints how long each piece of work took, and for each request the SQL, SQLite's query plan, which index serves it \
      and which is missing. Without --folder the stores are temporary files, removed in the end.

      Core Data's launch arguments work, such as -com.apple.CoreData.SQLDebug 1.
      """)

  @Option(help: "How many photos to insert.")
  var count = 10_000

  @Option(help: "A design: single, split or copying. May be given several times; all without it.")
  var design: [Design] = []

  @Option(help: "The indexes: none, single or compound. May be given several times; all without it.")
  var indexes: [Indexing] = []

  @Option(help: "How often to execute each request; the median of the times counts.")
  var rounds = 3

  @Option(help: "Keep the stores in this folder, which must have none yet.")
  var folder: String?

  @Flag(help: "Print one JSON object and nothing else on standard output.")
  var json = false

  static func main() async { await main(LaunchArguments.removed(from: Array(CommandLine.arguments.dropFirst()))) }

  func validate() throws {
    if !(1...1_000_000).contains(count) { throw ValidationError("--count must be 1 to 1000000, not \(count).") }
    if rounds < 1 { throw ValidationError("--rounds must be 1 or more, not \(rounds).") }
    if folder?.isEmpty == true { throw ValidationError("--folder needs a path.") }
  }

  func run() async throws {
    let place = try WorkingFolder(folder, of: "Photos")
    defer { place.remove() }
    try place.requireNoStore()
    let session = await Session(
      folder: place.url, count: count, designs: design.isEmpty ? Design.allCases : design,
      indexings: indexes.isEmpty ? Indexing.allCases : indexes, rounds: rounds)
    let report = try await session.run()
    print(json ? try report.json() : report.text)
  }
}

extension Design: ExpressibleByArgument {}
extension Indexing: ExpressibleByArgument {}
