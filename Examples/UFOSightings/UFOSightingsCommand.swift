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

  @Flag(help: "With --make-seed: make a store that can be fetched, and a manifest beside it, for a server of files.")
  var forServer = false

  @Option(
    help: ArgumentHelp(
      "Open the program in --folder, and fetch its seed meanwhile from the manifest at this address.", valueName: "URL")
  )
  var fetch: String?

  @Option(help: ArgumentHelp("With --fetch: note this on a sighting that --search finds.", valueName: "text"))
  var mark: String?

  @Option(help: ArgumentHelp("With --fetch: stop the download after so many bytes.", valueName: "bytes"))
  var stopAfter: Int?

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
    if [makeSeed, seed, fetch].compactMap({ $0 }).count > 1 {
      throw ValidationError("--make-seed, --seed and --fetch exclude each other.")
    }
    if forServer, makeSeed == nil { throw ValidationError("--for-server needs --make-seed.") }
    if fetch == nil, mark != nil || stopAfter != nil { throw ValidationError("--mark and --stop-after need --fetch.") }
    if fetch != nil, folder == nil {
      throw ValidationError("--fetch needs --folder, where the stores stay from run to run.")
    }
    if let fetch, URL(string: fetch)?.scheme?.hasPrefix("http") != true {
      throw ValidationError("--fetch must be an address such as http://127.0.0.1:8000/Seed.json, not \(fetch).")
    }
    if let stopAfter, stopAfter < 1 { throw ValidationError("--stop-after must be 1 or more, not \(stopAfter).") }
  }

  func run() async throws {
    let place = try WorkingFolder(folder, of: "UFOSightings")
    defer { place.remove() }
    let session = await Session(
      folder: place.url, count: count, sought: search, configuration: forServer ? "Shipped" : nil)
    var report: Report
    if let fetch, let address = URL(string: fetch) {
      report = Report(count: 0, sought: search)
      report.fetching = try await FetchSession(
        folder: place.url, address: address, mark: mark, sought: search, stopAfter: stopAfter
      ).run()
      report.count = report.fetching?.after ?? 0
    } else if let makeSeed {
      let url = URL(fileURLWithPath: makeSeed)
      report = try await session.makeSeed(url)
      if forServer {
        let manifest = url.deletingPathExtension().appendingPathExtension("json")
        try SeedManifest(of: url).data().write(to: manifest, options: .atomic)
      }
    } else if let seed {
      report = try await session.run(seed: URL(fileURLWithPath: seed))
    } else {
      report = try await session.run()
    }
    print(json ? try report.json() : report.text)
  }
}
