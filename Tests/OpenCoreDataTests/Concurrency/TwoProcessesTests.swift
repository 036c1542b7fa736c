import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Two processes that write the same objects of the same store at the same time.
@Suite struct TwoProcessesTests {
  private static let counters = 4
  /// How many saves each process makes. About 30 seconds with `SOAK=20`.
  private static let saves = 250 * Soak.factor

  /// What a process did: how often it counted each counter up, and how often it had to begin anew.
  private struct Work: Codable {
    var counted = Array(repeating: 0, count: counters)
    var inserted = 0
    var conflicts = 0
  }

  private static func open(_ path: String, mode: String) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
      options: [NSSQLitePragmasOption: ["journal_mode": mode]])
    return coordinator
  }

  /// Counts two counters up in every save, and inserts a tag for one of them; what conflicts is refreshed and done again.
  private static func write(_ path: String, _ mode: String, _ number: Int, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ UInt64(number))
    let context = TestModel.context(try open(path, mode: mode))
    var work = Work()
    // Neither begins before the other is there.
    try Data().write(to: URL(fileURLWithPath: "\(path).ready\(number)"))
    let isThere = Soak.wait { FileManager.default.fileExists(atPath: "\(path).ready\(3 - number)") }
    #expect(isThere)
    try context.performAndWait {
      let counters = try context.all("Book", sortedBy: "title")
      var seen = Array(repeating: 0, count: counters.count)
      for save in 0..<Self.saves {
        let first = Int.random(in: 0..<counters.count, using: &random)
        let second = (first + Int.random(in: 1..<counters.count, using: &random)) % counters.count
        while true {
          for place in [first, second] {
            let pages = counters[place].number("pages") ?? 0
            #expect(pages >= seen[place], "a counter went back")
            seen[place] = pages
            counters[place].setValue(pages + 1, forKey: "pages")
          }
          let tag = context.make("Tag", ["name": "\(number)-\(save)"])
          tag.mutableSetValue(forKey: "books").add(counters[first])
          do {
            try context.save()
            break
          } catch let error as NSError where error.code == NSManagedObjectMergeError {
            work.conflicts += 1
            context.delete(tag)
            for counter in counters { context.refresh(counter, mergeChanges: false) }
          }
        }
        work.counted[first] += 1
        work.counted[second] += 1
        work.inserted += 1
        usleep(UInt32.random(in: 0...1500, using: &random))
        // Sees what the other has done, and does not only learn it by conflicts.
        if save % 3 == 0 { _ = try context.all("Book") }
        if save % 10 == 0 { context.refreshAllObjects() }
      }
    }
    try JSONEncoder().encode(work).write(to: URL(fileURLWithPath: "\(path).work\(number)"))
  }

  @Test(arguments: ["WAL", "DELETE"]) func noUpdateIsLost(mode: String) async throws {
    let url = try TestModel.temporaryFile(), path = url.path
    let seed = SeededGenerator.makeSeed(for: "two processes, \(mode)")
    let coordinator = try Self.open(path, mode: mode)
    try coordinator.inContext { context in
      for number in 0..<Self.counters { _ = context.make("Book", ["title": "C\(number)", "pages": 0]) }
      try context.save()
    }
    async let one: Void = child(path, mode, 1, seed)
    async let two: Void = child(path, mode, 2, seed)
    _ = await (one, two)
    let works = try [1, 2].map {
      try JSONDecoder().decode(Work.self, from: Data(contentsOf: URL(fileURLWithPath: "\(path).work\($0)")))
    }
    let sums = (0..<Self.counters).map { place in works.map { $0.counted[place] }.reduce(0, +) }
    let database = try PlainDatabase(url)
    #expect(try database.integrity() == ["ok"])
    #expect(try database.rows("SELECT ZPAGES FROM ZBOOK ORDER BY ZTITLE").map(\.[0].integer) == sums.map(Int64.init))
    // Each save made one new version of each counter.
    #expect(
      try database.rows("SELECT Z_OPT FROM ZBOOK ORDER BY ZTITLE").map(\.[0].integer) == sums.map { Int64($0 + 1) })
    let inserted = works.map(\.inserted).reduce(0, +)
    #expect(inserted == 2 * Self.saves)
    #expect(try database.strings("SELECT DISTINCT ZNAME FROM ZTAG").count == inserted)
    #expect(try database.rows("SELECT COUNT(*) FROM Z_2TAGS")[0] == [.integer(Int64(inserted))])
    // Each of them reserves some keys ahead.
    let last = try database.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'")[0][0].integer
    let highest = try database.rows("SELECT MAX(Z_PK) FROM ZTAG")[0][0].integer
    #expect(try #require(last) >= #require(highest))
    #expect(try StoreCheck.errors(url) == [])
    // This process has not looked since before they began.
    let counted = try coordinator.inContext { context in
      try context.all("Book", sortedBy: "title").map { ($0.number("pages") ?? 0, $0.many("tags").count) }
    }
    #expect(counted.map(\.0) == sums && counted.map(\.1).reduce(0, +) == inserted)
    print("two processes, \(mode): \(inserted) saves, \(works.map(\.conflicts).reduce(0, +)) conflicts")
  }

  private func child(_ path: String, _ mode: String, _ number: Int, _ seed: UInt64) async {
    await #expect(processExitsWith: .success) {
      [path = path as String, mode = mode as String, number = number as Int, seed = seed as UInt64] in
      try Self.write(path, mode, number, seed)
    }
  }
}
