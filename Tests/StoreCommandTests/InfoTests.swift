import CoreData
import Foundation
import Testing
import ToolProcess

/// `coredata store info`.
@Suite struct InfoTests {
  @Test func entitiesSizesAndVersions() throws {
    let files = try StoreFiles()
    try files.moveCoverToFile(of: 1)
    try files.damage("CREATE TABLE notes (text VARCHAR)")
    let before = try files.contents()
    let report = try Tool("store", "info", files.store.path, "--format", "json").json()
    #expect(try files.contents() == before)
    let entities = try #require(report["entities"] as? [[String: Any]])
    func value(_ entity: String, _ key: String) -> Int? {
      entities.first { $0["name"] as? String == entity }?[key] as? Int
    }
    #expect(entities.map { $0["name"] as? String } == ["Card", "Chapter", "Item", "Book", "Film", "Person", "Tag"])
    #expect(value("Item", "rows") == 0 && value("Item", "allRows") == 3 && value("Item", "lastKey") == 3)
    #expect(value("Book", "rows") == 2 && value("Film", "allRows") == 1)
    #expect(report["kind"] as? String == "SQLite" && report["journalMode"] as? String == "wal")
    #expect(UUID(uuidString: report["uuid"] as? String ?? "") != nil)
    #expect(report["history"] == nil && report["unknownTables"] as? [String] == ["notes"])
    #expect(report["externalData"] as? [String: Int] == ["files": 1, "bytes": 1000])

    let text = try Tool("store", "info", files.store.path).output
    #expect(text.contains("Item (abstract)     0                 3         3  "), "\(text)")
    #expect(text.contains("External data      1 files, 1000 bytes"))
  }

  @Test(arguments: [("XML", NSXMLStoreType), ("binary", NSBinaryStoreType)])
  func storesThatAreNoDatabases(kind: String, type: String) throws {
    let files = try StoreFiles()
    let model = try NSManagedObjectModel(validatingContentsOf: URL(fileURLWithPath: files.model))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: files.store)
    let other = URL(fileURLWithPath: files.path("Other"))
    _ = try coordinator.migratePersistentStore(store, to: other, withType: type)
    try coordinator.remove(coordinator.persistentStores[0])
    let before = try files.contents()
    let report = try Tool("store", "info", other.path, "--format", "json").json()
    let entities = try #require(report["entities"] as? [[String: Any]])
    #expect(report["kind"] as? String == kind && UUID(uuidString: report["uuid"] as? String ?? "") != nil)
    #expect(entities.map { $0["name"] as? String } == ["Book", "Card", "Chapter", "Film", "Item", "Person", "Tag"])
    #expect(entities.allSatisfy { ($0["hash"] as? String)?.count == 64 && $0["allRows"] == nil })
    #expect(entities.map { $0["rows"] as? Int } == [2, 1, 2, 1, 0, 2, 2])
    let text = try Tool("store", "info", other.path, "--model", files.model).output
    #expect(text.contains("Item (abstract)     0                 3  "), "\(text)")
    #expect(try files.contents() == before)
    #expect(
      try Tool("store", "verify", other.path).errors.hasSuffix(
        "of the kind \(kind). This command needs a SQLite store.\n"))
    try Data("bplist00<database".utf8).write(to: other)
    let damaged = try Tool("store", "info", other.path)
    #expect(damaged.status == 1 && damaged.errors.hasPrefix("Error: "))
  }

  @Test func filesThatAreNoStores() throws {
    let files = try StoreFiles(withStore: false)
    try Data("hello".utf8).write(to: URL(fileURLWithPath: files.path("text")))
    try files.damage("CREATE TABLE t (a)", of: URL(fileURLWithPath: files.path("other.db")))
    try Data().write(to: URL(fileURLWithPath: files.path("empty")))
    let cases = [
      ("empty", "Error: The file at \(files.path("empty")) is empty. Expected a store.\n"),
      ("missing", "Error: There is no file at \(files.path("missing")). Expected a store.\n"),
      ("text", "Error: \(files.path("text")) is no store: it does not begin as a SQLite database does.\n"),
      ("", "Error: \(files.path("")) is a folder. Expected a store.\n"),
      (
        "other.db",
        "Error: The file at \(files.path("other.db")) is a SQLite database, but not a Core Data store: it has no metadata.\n"
      ),
    ]
    for (name, message) in cases {
      let tool = try Tool("store", "info", files.path(name))
      #expect(tool.status == 1 && tool.errors == message, "\(name): \(tool.errors)")
    }
    #expect(try Tool("store", "info").status == 64)
    #expect(
      try Tool("store", "info", "/dev/null").errors == "Error: /dev/null is no regular file. Expected a store.\n")
  }
}
