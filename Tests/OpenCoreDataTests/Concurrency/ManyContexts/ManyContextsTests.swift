import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Eight contexts on eight queues fetch, save and merge at random in one store.
@Suite struct ManyContextsTests {
  /// At the end the store, and every context, has what a model in memory says. Threads that wait for each other end the
  /// process; an error that is no conflict fails the test. `SOAK=15` makes it about half a minute.
  @Test func eightContextsAgreeWithAModelInMemory() throws {
    let seed = SeededGenerator.makeSeed(for: "eight contexts")
    let url = try TestModel.temporaryFile()
    let contexts = try ManyContexts(url, seed: seed)
    let world = contexts.world
    try contexts.merger.context.performAndWait {
      for _ in 0..<60 { contexts.merger.insert() }
      try contexts.merger.save()
    }
    let steps = 60 * Soak.factor, drivers = contexts.all.count
    let watchdog = Watchdog(drivers: drivers)
    Soak.threads(drivers + 1) { driver in
      if driver == drivers {
        return watchdog.watch(seconds: Patience.seconds) { contexts.all.map(\.lastNote).joined(separator: "\n") }
      }
      defer { watchdog.end(driver) }
      for _ in 0..<steps where world.problems.count < 50 {
        do { try contexts.step(driver) } catch {
          world.report("\(contexts.all[driver].lastNote): an error that is no conflict: \(error)")
        }
        watchdog.step(driver)
      }
    }
    try contexts.comeToRest()

    let (items, problems) = world.saved.outcome()
    for problem in problems { world.report(problem) }
    // The parent takes objects over as its children have seen them, and may have them so after a rollback.
    for desk in [contexts.automatic, contexts.merger, contexts.other] {
      desk.context.performAndWait { desk.expectUpToDate(items) }
    }
    for desk in contexts.all { try desk.context.performAndWait { try desk.expectSame(as: items) } }
    try expectStored(items, url, world)
    print("eight contexts: \(steps) steps each; items \(items.count); \(world.summary)")
    for problem in world.problems.prefix(5) + world.problems.suffix(10) { Issue.record("\(problem)") }
    #expect(world.problems.isEmpty)
    for what in ["saves", "saves of children", "conflicts", "merges", "merges of URIs", "looks at a generation"] {
      #expect(world.count(of: what) > 0, "no \(what)")
    }
  }

  /// The rows, read without any of the framework's code.
  private func expectStored(_ items: [Int: SavedItem], _ url: URL, _ world: ItemWorld) throws {
    let file = try PlainDatabase(url)
    for entity in ["Item", "Folder"] {
      let rows = try file.rowsByKey("Z\(entity.uppercased())")
      let expected = items.values.filter { $0.entity == entity }
      world.expect(rows.count == expected.count, "\(rows.count) rows of \(entity), not \(expected.count)")
      for item in expected {
        guard let key = item.key, let row = rows[Int64(key)] else {
          world.report("no row for \(item)")
          continue
        }
        let stored = ["ZNUMBER", "ZSTAMP", "ZVALUE"].map { Int(row[$0]?.integer ?? -1) }
        let folder = row["ZFOLDER"]?.integer.map(Int.init)
        world.expect(
          stored == [item.number, item.stamp, ItemWorld.value(item.number, item.stamp)]
            && row["ZTEXT"]?.text == ItemWorld.text(item.number, item.stamp) && folder == item.folder,
          "the row \(row) is not \(item): \(world.saved.history(item.number, folder: folder))")
      }
    }
    #expect(try file.integrity() == ["ok"])
    #expect(try StoreCheck.errors(url, model: ItemWorld.model()) == [])
  }
}
