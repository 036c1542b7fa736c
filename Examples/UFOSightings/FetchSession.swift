import CommandSupport
import CoreData
import ExampleSupport

/// A run with a seed that is fetched: the program opens with what is there, and gets the newest seed meanwhile.
@MainActor struct FetchSession {
  let folder: URL
  let address: URL
  /// What the user notes on the first sighting that is found by `sought`; nil for nothing.
  let mark: String?
  let sought: String
  let stopAfter: Int?
  private let bar = ProgressBar()

  init(folder: URL, address: URL, mark: String?, sought: String, stopAfter: Int?) {
    self.folder = folder
    self.address = address
    self.mark = mark
    self.sought = sought
    self.stopAfter = stopAfter
  }

  /// - Throws: The errors of the stores, and a failure to fetch a seed if none is there.
  func run() async throws -> Report.Fetching {
    let part = folder.appending(path: "Seed.download")
    let download = SeedDownload(address: address, part: part, stopAfter: stopAfter)
    let installed = try FetchedSeed.manifest(in: folder)
    let meter = Meter()
    let (progress, told) = AsyncStream<(Int, of: Int)>.makeStream(bufferingPolicy: .bufferingNewest(1))
    async let arrival = Self.fetch(download, newerThan: installed, told)

    // Meanwhile the program is open.
    let opening = Meter()
    let seed = try FetchedSeed.open(in: folder)
    let context = seed.container.viewContext
    var fetching = Report.Fetching(opening: opening.cost, before: try count(context))
    if let mark { try note(mark, in: context) }
    for await (size, all) in progress { bar.show(size, of: all) }
    bar.finish()

    do {
      if let (manifest, result) = try await arrival.get() {
        (fetching.size, fetching.kept, fetching.received) = (manifest.size, result.kept, result.received)
        fetching.resumed = result.resumed
        fetching.download = meter.cost
        let installing = Meter()
        try seed.install(manifest, from: part)
        fetching.installing = installing.cost
        fetching.outcome = installed == nil ? .installed : .replaced
        // The first run had no sighting to note anything on.
        if let mark, fetching.before == 0 { try note(mark, in: context) }
      }
    } catch {
      // A program that has a seed goes on with it.
      if installed == nil { throw ToolError("\(error)") }
      fetching.outcome = .failed
      fetching.failure = "\(error)"
    }
    fetching.after = try count(context)
    fetching.marks = try marks(context)
    return fetching
  }

  /// Downloads the seed if it is newer than the one that is installed; nil if it is not.
  private static func fetch(
    _ download: SeedDownload, newerThan installed: SeedManifest?, _ told: AsyncStream<(Int, of: Int)>.Continuation
  ) async -> Result<(SeedManifest, SeedDownload.Result)?, any Error> {
    defer { told.finish() }
    do {
      let manifest = try await download.manifest()
      if let installed, manifest.digest == installed.digest || manifest.made <= installed.made { return .success(nil) }
      return .success((manifest, try await download.run(manifest) { told.yield(($0, of: manifest.size)) }))
    } catch {
      return .failure(error)
    }
  }

  private func count(_ context: NSManagedObjectContext) throws -> Int {
    let hasSeed = context.persistentStoreCoordinator?.persistentStores.contains { $0.configurationName == "Shipped" }
    return hasSeed == true ? try context.count(for: Sighting.fetchRequest()) : 0
  }

  /// Saves an object of the user's. It names its sighting by the sighting's identifier: a relationship cannot lead to another
  /// store, and the object ID of a sighting is another one in each seed.
  private func note(_ text: String, in context: NSManagedObjectContext) throws {
    guard try count(context) > 0, let sighting = try SightingSearch.anyToken.sightings(sought, in: context).first else {
      return
    }
    let mark = Mark(context: context)
    mark.sighting = sighting.identifier ?? ""
    mark.text = text
    mark.made = Date()
    try context.save()
  }

  /// The user's objects, each with the place of its sighting, which a fetched property finds in the seed.
  private func marks(_ context: NSManagedObjectContext) throws -> [Report.Fetching.Marked] {
    let request = Mark.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Mark.made, ascending: true)]
    return try context.fetch(request).map { mark in
      let sightings = mark.value(forKey: "sightings") as? [Sighting]
      return Report.Fetching.Marked(text: mark.text ?? "", place: sightings?.first?.place)
    }
  }
}
