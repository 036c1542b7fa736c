import ArgumentParser
import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// `swift run ConcurrencyModels`: the same work in eight arrangements of contexts.
@main struct ConcurrencyModelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ConcurrencyModels",
    abstract: "Imports songs beside a list and somebody who edits, in eight arrangements of contexts.",
    discussion: """
      Prints how long the main queue did not answer, when the songs were on disk and in the list, and what that took. \
      Without --folder the stores are temporary files, removed in the end.

      Core Data's launch arguments work, such as -com.apple.CoreData.ConcurrencyDebug 1.
      """)

  @Option(help: "How many songs to import.")
  var count = 100_000

  @Option(help: "How many songs to insert before each save.")
  var part = 1000

  @Option(help: "The milliseconds between two edits; 0 for no edits.")
  var pause = 50

  @Option(
    help: ArgumentHelp("An arrangement; may be given several times. All without it.", valueName: "arrangement"))
  var arrangement: [Arrangement] = []

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp("A part of the run; may be given several times. All without it.", valueName: "part"))
  var parts: [Part] = []

  @Option(help: "How many songs the slow list gets, at once and in saves of 100.")
  var slowCount = 1000

  @Option(help: "The milliseconds that the slow list takes for each change.")
  var slow = 5

  @Option(help: "Write the bars as a picture to this SVG file.")
  var chart: String?

  @Option(help: "Keep the stores in this folder, which must have none yet.")
  var folder: String?

  @Flag(help: "Print one JSON object and nothing else on standard output.")
  var json = false

  @Flag(help: "Let coredata attach and the studio look into the program while it runs.")
  var listen = false

  @Flag(help: "Hand an object over to another thread, which the concurrency check stops.")
  var wrong = false

  static func main() async { await main(LaunchArguments.removed(from: Array(CommandLine.arguments.dropFirst()))) }

  func validate() throws {
    for (name, value, range) in [
      ("count", count, 1...1_000_000), ("part", part, 1...1_000_000), ("pause", pause, 0...60_000),
      ("slow-count", slowCount, 1...100_000), ("slow", slow, 0...1000),
    ] where !range.contains(value) {
      throw ValidationError("--\(name) must be \(range.lowerBound) to \(range.upperBound), not \(value).")
    }
    for (name, value) in [("chart", chart), ("folder", folder)] where value?.isEmpty == true {
      throw ValidationError("--\(name) needs a path.")
    }
  }

  func run() async throws {
    let place = try WorkingFolder(folder, of: "ConcurrencyModels")
    defer { place.remove() }
    try place.requireNoStore()
    if wrong {
      try await HandedOverObject.make(in: place.url)
      throw ToolError("Nobody stopped it, since the concurrency check is off.")
    }
    if listen { try Listening.begin() }
    let session = await Session(
      folder: place.url, parts: parts.isEmpty ? Part.allCases : parts,
      arrangements: arrangement.isEmpty ? Arrangement.allCases : arrangement, count: count, part: part, pause: pause,
      slowCount: slowCount, slow: slow)
    let report = try await session.run()
    if let chart { try Data(report.chart.svg.utf8).write(to: URL(fileURLWithPath: chart)) }
    print(json ? try report.json() : report.text)
  }
}

extension Arrangement: ExpressibleByArgument {}
extension Part: ExpressibleByArgument {}
