import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A store whose process died in the middle of a commit, with a journal that undoes what is in the file.
@Suite struct HotJournalTests {
  /// The first page is written before those that it counts: a file that is shorter than it says, and no damage.
  @Test func aFileThatIsShorterThanItsHeaderSays() throws {
    let url = try TestModel.temporaryFile()
    let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    func open(_ url: URL) throws -> NSPersistentStoreCoordinator {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
      return coordinator
    }
    let coordinator = try open(url)
    try coordinator.inContext { context in
      for number in 0..<30 { context.insert("Author", ["name": "A\(number)"]) }
      try context.save()
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    let copy = try TestModel.temporaryFile()
    do {
      let database = try PlainDatabase(url)
      try database.rows("PRAGMA cache_size = 5")
      try database.rows("BEGIN")
      try database.rows("UPDATE ZAUTHOR SET ZNAME = 'half'")
      try database.rows(
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
          + "INSERT INTO ZAUTHOR (Z_ENT, Z_OPT, ZNAME) SELECT 1, 1, hex(randomblob(200)) FROM n")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
      }
    }
    var bytes = try Data(contentsOf: copy)
    bytes.replaceSubrange(28..<32, with: [0, 1, 0, 0])
    try bytes.write(to: copy)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy.path + "-journal")).count > 512)
    let again = try open(copy)
    let names = try again.inContext { try $0.names("Author") }
    #expect(names.count == 30 && !names.contains("half"))
    try again.remove(try #require(again.persistentStores.first))
    #expect(try StoreCheck.errors(copy) == [])
  }
}
