import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Keys of saves that come one after the other: Z_MAX in the file may be ahead of them, and never behind.
@Suite struct KeyReserveTests {
  private static func save(_ count: Int, _ context: NSManagedObjectContext) throws {
    for number in 0..<count {
      context.insert("Author", ["name": "author \(number)"])
      try context.save()
    }
  }

  private static func count(_ sql: String, _ url: URL) throws -> Int64 {
    try #require(PlainDatabase(url).rows(sql).first?.first?.integer)
  }

  private static let lastKey = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author'"
  private static let highest = "SELECT MAX(Z_PK) FROM ZAUTHOR"

  @Test func smallSavesCountTheFileUpOnceInAWhile() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let statements = try StatementLog.collect(thisThread: true) { try Self.save(300, context) }.statements
      let updates = statements.count { $0.hasPrefix("UPDATE Z_PRIMARYKEY") }
      #expect(updates == 1 + KeyReserve.turnsBefore + (300 - 1 - KeyReserve.turnsBefore + 63) / 64)
      #expect(statements.count { $0.hasPrefix("INSERT INTO ZAUTHOR") } == 300)
    }
    #expect(try Self.count(Self.highest, url) == 300)
    #expect(try Self.count("SELECT COUNT(DISTINCT Z_PK) FROM ZAUTHOR", url) == 300)
    #expect(try Self.count(Self.lastKey, url) >= 300)
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(try Self.count(Self.lastKey, url) == 300)
  }

  @Test func othersTakeTheirKeysAfterwards() throws {
    let url = try TestModel.temporaryFile()
    let model = TestModel.library()
    let coordinators = try [TestModel.coordinator(model, url: url), TestModel.coordinator(model, url: url)]
    let contexts = coordinators.map(TestModel.context)
    var generator = SeededGenerator(for: "keys of two coordinators")
    var total = 0
    for _ in 0..<40 {
      let turn = Int.random(in: 0..<2, using: &generator), count = Int.random(in: 1...30, using: &generator)
      try contexts[turn].performAndWait { try Self.save(count, contexts[turn]) }
      total += count
      #expect(try Self.count(Self.lastKey, url) >= Self.count(Self.highest, url))
    }
    #expect(try Self.count("SELECT COUNT(*) FROM ZAUTHOR", url) == total)
    for coordinator in coordinators { try coordinator.remove(coordinator.persistentStores[0]) }
    #expect(try Self.count(Self.lastKey, url) >= Self.count(Self.highest, url))
  }

  /// The save that reserved keys is rolled back, so none of them is reserved.
  @Test func aSaveThatFailsReservesNothing() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let context = TestModel.context(coordinator)
    try PlainDatabase(url).rows(
      """
      CREATE TRIGGER no BEFORE INSERT ON ZAUTHOR WHEN NEW.ZNAME = 'refused' BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
    try context.performAndWait {
      // The next save is the first that takes more keys than it needs.
      try Self.save(1 + KeyReserve.turnsBefore, context)
      let author = context.insert("Author", ["name": "refused"])
      #expect(throws: (any Error).self) { try context.save() }
      author.setValue("accepted", forKey: "name")
      try context.save()
      try Self.save(20, context)
    }
    #expect(try Self.count("SELECT COUNT(*) FROM ZAUTHOR", url) == 22 + KeyReserve.turnsBefore)
    #expect(try Self.count(Self.highest, url) == 22 + KeyReserve.turnsBefore)
    #expect(try Self.count(Self.lastKey, url) >= Self.count(Self.highest, url))
  }

  /// What a killed process leaves: a gap, and no key that is given out twice.
  @Test func aCopyOfAnOpenStoreGoesOnBehindTheReserve() throws {
    let url = try TestModel.temporaryFile(), copy = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait { try Self.save(100, context) }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    let second = TestModel.context(try TestModel.coordinator(TestModel.library(), url: copy))
    try second.performAndWait { try Self.save(1, second) }
    #expect(try Self.count("SELECT COUNT(*) FROM ZAUTHOR", copy) == 101)
    let new = try Self.count(Self.highest, copy)
    #expect(new > 100 && new <= 100 + KeyReserve.ahead)
  }

  @Test func largeSavesReserveNothing() throws {
    let url = try TestModel.temporaryFile()
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    try context.performAndWait {
      for _ in 0..<20 {
        for number in 0..<100 { context.insert("Author", ["name": "\(number)"]) }
        try context.save()
      }
    }
    #expect(try Self.count(Self.lastKey, url) == 2000)
  }
}
