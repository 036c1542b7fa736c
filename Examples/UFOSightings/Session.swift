import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// One run, on the main thread.
@MainActor struct Session {
  let folder: URL
  let count: Int
  /// The text to search for.
  let sought: String
  /// Whose entities the stores have; nil for the whole model.
  let configuration: String?
  private let bar = ProgressBar()

  init(folder: URL, count: Int, sought: String, configuration: String? = nil) {
    self.folder = folder
    self.count = count
    self.sought = sought
    self.configuration = configuration
  }

  private var naiveStore: URL { folder.appending(path: "Naive.sqlite") }
  private var store: URL { folder.appending(path: "Sightings.sqlite") }
  private var file: SightingFile { SightingFile(url: folder.appending(path: "Sightings.json")) }

  /// Does all the work of the example.
  ///
  /// - Throws: The errors of reading files, opening, saving and fetching.
  func run() async throws -> Report {
    var report = Report(count: count, sought: sought)
    report.generating = try generate()
    // Each importer fills its own store, and then imports the same file again.
    for isAgain in [false, true] {
      report.imports.append(try await load(.naive, isAgain))
      report.imports.append(try await load(.merging, isAgain))
    }
    for how in ShapeCounter.allCases { report.shapes.append(try await count(how)) }
    report.indexing = try await indexWords()
    for how in SightingSearch.allCases { report.searches.append(try await search(how)) }
    let seed = SeedStore(url: folder.appending(path: "Seed.sqlite"), configuration: configuration)
    let meter = Meter()
    try await seed.make(from: store)
    let making = meter.cost
    let own = folder.appending(path: "FirstRun.sqlite")
    report.seeds = [try await launch(seed, at: own, making: making), try await launch(seed, at: own)]
    return report
  }

  /// Makes a store to be shipped.
  ///
  /// - Throws: The same errors as `run()`.
  func makeSeed(_ url: URL) async throws -> Report {
    var report = Report(count: count, sought: sought)
    report.generating = try generate()
    report.imports.append(try await load(.merging, false))
    report.indexing = try await indexWords()
    let meter = Meter()
    try await SeedStore(url: url, configuration: configuration).make(from: store)
    let making = meter.cost
    // An app does the same when it is launched for the first time.
    let own = folder.appending(path: "FirstRun.sqlite")
    report.seeds = [try await launch(SeedStore(url: url, configuration: configuration), at: own, making: making)]
    return report
  }

  /// Runs as an app that is shipped with a store does: copies the store if there is no copy yet, and reads.
  ///
  /// - Throws: The same errors as `run()`.
  func run(seed url: URL) async throws -> Report {
    let launched = try await launch(SeedStore(url: url, configuration: configuration), at: store)
    var report = Report(count: launched.sightings, sought: sought)
    report.seeds = [launched]
    for how in ShapeCounter.allCases { report.shapes.append(try await count(how)) }
    for how in SightingSearch.allCases { report.searches.append(try await search(how)) }
    return report
  }

  private func generate() throws -> Cost {
    begin("Writing \(count) sightings as JSON")
    let meter = Meter()
    try file.write(count) { bar.show($0, of: count) }
    bar.finish()
    return meter.cost
  }

  private func load(_ how: Report.Import.How, _ isAgain: Bool) async throws -> Report.Import {
    begin(how == .naive ? "Importing with a fetch for each" : "Importing by sorted merge")
    let importer: any Importer =
      switch how {
      case .naive: NaiveImporter(container: try await open(naiveStore))
      case .merging: MergingImporter(container: try await open(store))
      }
    let meter = Meter()
    let result = try await importer.run(file) { bar.show($0, of: count) }
    let cost = meter.cost
    bar.finish()
    return Report.Import(how: how, isAgain: isAgain, result: result, cost: cost)
  }

  /// Counts with a new stack, which has no row in memory yet.
  private func count(_ how: ShapeCounter) async throws -> Report.Counting {
    let container = try await open(store)
    let meter = Meter()
    let counts = try how.counts(in: container.viewContext)
    return Report.Counting(how: how, counts: counts, cost: meter.cost)
  }

  private func indexWords() async throws -> Report.Indexing {
    begin("Indexing the words of the places")
    let indexer = TokenIndexer(container: try await open(store))
    let meter = Meter()
    let tokens = try await indexer.run { bar.show($0, of: count) }
    let cost = meter.cost
    bar.finish()
    return Report.Indexing(tokens: tokens, cost: cost)
  }

  private func search(_ how: SightingSearch) async throws -> Report.Search {
    let container = try await open(store)
    let context = container.viewContext
    let (found, statements) = try Explanation.of(how.request(sought), in: context) {
      let meter = Meter()
      let sightings = try how.sightings(sought, in: context)
      return (count: sightings.count, cost: meter.cost)
    }
    return Report.Search(how: how, found: found.count, cost: found.cost, statements: statements)
  }

  private func launch(_ seed: SeedStore, at store: URL, making: Cost? = nil) async throws -> Report.Seed {
    let meter = Meter()
    let isCopied: Bool
    let sightings: Int
    do {
      isCopied = try seed.install(at: store)
      let container = try await open(store)
      sightings = try container.viewContext.count(for: Sighting.fetchRequest())
    } catch {
      throw ToolError("Cannot start with the shipped store \(seed.url.path)", error)
    }
    let cost = meter.cost
    let size = try FileManager.default.attributesOfItem(atPath: seed.url.path)[.size] as? Int ?? 0
    return Report.Seed(size: size, making: making, isCopied: isCopied, launch: cost, sightings: sightings)
  }

  private func open(_ store: URL) async throws -> NSPersistentContainer {
    try await Stack.open(store, configuration: configuration)
  }

  private func begin(_ text: String) {
    bar.begin(text)
    bar.finish()
  }
}
