import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// An import beside a list and a person, in one arrangement of contexts.
@MainActor struct ArrangementRun {
  let arrangement: Arrangement
  /// The number of songs to import.
  let count: Int
  /// The number of songs in a save.
  let part: Int
  /// The pause between two edits; zero for none.
  var pause = Duration.zero
  /// The time that the list takes for each change.
  var timeForChange = Duration.zero

  /// - Parameters:
  ///   - url: The place of the store, which must not exist yet.
  ///   - each: Called after every save with the number of songs so far.
  /// - Throws: The errors of the arrangement; `ToolError` if the list does not get to show everything.
  func run(at url: URL, each: (Int) -> Void) async throws -> Report.Run {
    try Stack.fill(at: url)
    let contexts = try arrangement.open(at: url)
    let list = SongList(contexts.view)
    try list.fetch()
    list.timeForChange = timeForChange
    let total = Stack.songsBefore + count
    var shown: ContinuousClock.Instant?
    list.whenDrawn = { if $0 >= total, shown == nil { shown = .now } }
    try contexts.follow(with: list)

    let disk = DiskWatch()
    let person = Person(list, contexts)
    let heartbeat = Heartbeat()
    let meter = Meter()
    let counters = CoreDataInstruments.counters
    let begin = ContinuousClock.now
    let importing = ImportWork(numbers: Stack.songsBefore..<total, part: part)
    person.begin(every: pause)
    try await importing.run(in: contexts, each: each)
    try await contexts.finish()
    try await wait(for: list, toShow: total)
    try await person.stop()
    // What the person has saved meanwhile.
    try await contexts.finish()
    let stalls = await heartbeat.stop()
    let spent = CoreDataInstruments.counters - counters
    let cost = meter.cost

    let check = try Stack.open(at: url).newBackgroundContext()
    let (stored, kept) = (
      try await check.perform { try check.count(for: Song.fetchRequest()) },
      try check.performAndWait { try person.found(in: check) }
    )
    let written = begin.duration(to: disk.last ?? .now) / .seconds(1)
    return Report.Run(
      arrangement: arrangement, count: count, part: part, stalls: stalls,
      written: written, listed: begin.duration(to: shown ?? .now) / .seconds(1),
      throughput: written > 0 ? Double(count) / written : 0, memory: cost.peakMemory, statements: spent.statements,
      reads: spent.selects, faults: spent.faultsFired, misses: max(0, spent.faultsFired - spent.cacheHits),
      saves: disk.saves, changes: list.changes, reports: list.reports, fetches: list.fetches,
      edits: person.edits, longestEdit: person.longest, songsListed: list.count, songsStored: stored,
      songsEdited: person.given.count, editsStored: kept)
  }

  /// Waits until the list shows a number of songs.
  private func wait(for list: SongList, toShow total: Int) async throws {
    var last = (count: list.count, at: ContinuousClock.now)
    while last.count < total {
      try await Task.sleep(for: .milliseconds(2))
      if list.count != last.count { last = (list.count, .now) }
      if last.at.duration(to: .now) > .seconds(60) {
        throw ToolError(
          "\(arrangement.title): the list shows \(last.count) of \(total) songs, and no more since a minute.")
      }
    }
  }
}
