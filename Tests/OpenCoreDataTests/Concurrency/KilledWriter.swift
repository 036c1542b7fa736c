import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A process that saves numbered groups of objects to a store until it is killed.
///
/// Save n inserts the author n with a few books that carry tags, sets the pages of one book, the ledger, to n, and deletes
/// author n - 5 with all that is his: so each number leaves exactly one state of the whole file.
struct KilledWriter {
  /// How many authors there are at most.
  static let kept = 5
  static let tags = 3

  static func books(_ number: Int) -> Int { 1 + number % 4 }

  /// How a store is opened: with a long log, with one that is copied into the file all the time, without one.
  static func options(_ mode: Int) -> [AnyHashable: Any] {
    let pragmas: [String: String] =
      switch mode % 3 {
      case 0: [:]
      case 1: ["wal_autocheckpoint": "8"]
      default: ["journal_mode": "DELETE"]
      }
    return [NSSQLitePragmasOption: pragmas]
  }

  static func open(_ path: String, mode: Int) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: options(mode))
    return coordinator
  }

  /// Opens the store, and saves until a thread of its own kills the process: `microseconds` after that many saves.
  static func run(_ path: String, mode: Int, after saves: Int, microseconds: Int) throws {
    // The number of the last save that has returned. Pages of the kernel outlive the process.
    let note = Foundation.open(path + ".saved", O_WRONLY | O_CREAT, 0o644)
    let gate = DispatchSemaphore(value: saves == 0 ? 1 : 0)
    Thread.detachNewThread {
      gate.wait()
      usleep(UInt32(microseconds))
      kill(getpid(), SIGKILL)
    }
    let context = TestModel.context(try open(path, mode: mode))
    for done in 1... {
      try context.performAndWait {
        let number = try save(in: context)
        var saved = Int64(number)
        pwrite(note, &saved, 8, 0)
      }
      if done == saves { gate.signal() }
    }
  }

  /// Makes the next group and saves it; gives its number.
  private static func save(in context: NSManagedObjectContext) throws -> Int {
    let ledgers = NSFetchRequest<NSManagedObject>(entityName: "Novel")
    let ledger = try context.fetch(ledgers).first ?? context.make("Novel", ["title": "ledger", "pages": 0])
    let number = (ledger.number("pages") ?? 0) + 1
    var tags = try context.all("Tag")
    if number == 1 { tags = (0..<Self.tags).map { context.make("Tag", ["name": "T\($0)"]) } }
    ledger.setValue(number, forKey: "pages")
    let author = context.make("Author", ["name": "A\(number)"])
    for place in 0..<books(number) {
      let book = context.make("Book", ["title": "B\(number)-\(place)", "pages": number, "author": author])
      book.setValue(Set(tags), forKey: "tags")
    }
    for old in try context.all("Author") where old.text("name") == "A\(number - kept)" { context.delete(old) }
    try context.save()
    return number
  }

  // MARK: What a file must be

  /// The number of the last save that is in the file, by SQL; checks that the file is in the state that this number leaves.
  static func check(_ file: URL) throws -> Int {
    let database = try PlainDatabase(file)
    #expect(try database.integrity() == ["ok"])
    func integer(_ query: String) throws -> Int { Int(try database.rows(query).first?.first?.integer ?? 0) }
    guard try database.tables().contains("Z_METADATA") else {
      #expect(try database.tables().isEmpty, "half a store")
      return 0
    }
    #expect(try integer("SELECT COUNT(*) FROM Z_METADATA") == 1)
    #expect(try integer("SELECT COUNT(*) FROM Z_PRIMARYKEY") == 4)
    let number = try integer("SELECT ZPAGES FROM ZBOOK WHERE ZTITLE = 'ledger'")
    let numbers = number == 0 ? [] : Array(max(1, number - kept + 1)...number)
    #expect(try database.strings("SELECT ZNAME FROM ZAUTHOR ORDER BY Z_PK") == numbers.map { "A\($0)" })
    let titles = numbers.flatMap { number in (0..<books(number)).map { "B\(number)-\($0)|A\(number)" } }
    #expect(
      try database.strings(
        "SELECT b.ZTITLE || '|' || a.ZNAME FROM ZBOOK b JOIN ZAUTHOR a ON a.Z_PK = b.ZAUTHOR ORDER BY 1")
        == titles.sorted())
    #expect(try integer("SELECT COUNT(*) FROM ZBOOK") == titles.count + min(number, 1))
    // The only join table: every book with every tag, and nothing that leads nowhere.
    let graph = try #require(try database.tables().first { $0.hasPrefix("Z_") && $0.hasSuffix("TAGS") })
    let columns = try database.columns(graph)
    #expect(try integer("SELECT COUNT(*) FROM \(graph)") == titles.count * tags)
    #expect(
      try integer(
        "SELECT COUNT(*) FROM \(graph) j JOIN ZBOOK b ON b.Z_PK = j.\(columns[0]) JOIN ZTAG t ON t.Z_PK = j.\(columns[1])"
      )
        == titles.count * tags)
    // What was reserved when it was killed is a gap; no key is given out again. Every save made one new version of the ledger.
    for entity in ["Author", "Book"] {
      let last = try integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
      let highest = try integer("SELECT IFNULL(MAX(Z_PK), 0) FROM Z\(entity.uppercased())")
      #expect(last >= highest && last <= highest + Int(KeyReserve.ahead))
    }
    #expect(try integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'") == (number == 0 ? 0 : tags))
    #expect(try integer("SELECT Z_OPT FROM ZBOOK WHERE ZTITLE = 'ledger'") == number)
    return number
  }
}
