import CSQLite
import CoreData
import Foundation
import Testing
import ToolProcess

/// `coredata store copy` and `destroy`.
@Suite struct CopyTests {
  private let files: StoreFiles

  init() throws { files = try StoreFiles() }

  @Test func theCopyHasWhatIsInTheLogAndTheExternalData() throws {
    try files.moveCoverToFile(of: 1)
    var database: OpaquePointer?
    try #require(sqlite3_open(files.store.path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    // Open, so that the log stays.
    try #require(sqlite3_exec(database, "UPDATE ZTAG SET ZNAME = 'logged' WHERE Z_PK = 1", nil, nil, nil) == SQLITE_OK)
    let tool = try Tool("store", "copy", files.store.path, files.path("Copy.sqlite"))
    #expect(tool.status == 0 && tool.output.isEmpty && tool.errors.isEmpty, "\(tool.errors)")
    #expect(
      try Tool("store", "export", files.path("Copy.sqlite")).output == Tool("store", "export", files.store.path).output)
    #expect(try Tool("store", "verify", files.path("Copy.sqlite")).output == "\(files.path("Copy.sqlite")): ok\n")
    let again = try Tool("store", "copy", files.store.path, files.path("Copy.sqlite"))
    #expect(again.status == 1 && again.errors.contains("There is something at"))
  }

  @Test func byALinkItIsTheSameStore() throws {
    try files.moveCoverToFile(of: 1)
    let link = files.path("links/Link.sqlite"), copy = files.path("Copy.sqlite")
    try FileManager.default.createDirectory(atPath: files.path("links"), withIntermediateDirectories: true)
    #expect(symlink(files.store.path, link) == 0)
    let export = try Tool("store", "export", files.store.path).output
    #expect(try Tool("store", "export", link).output == export)
    #expect(try Tool("store", "copy", link, copy).status == 0)
    #expect(try Tool("store", "export", copy).output == export)
    #expect(try Tool("store", "verify", link).output == "\(link): ok\n")
    #expect(try Tool("store", "destroy", link, "--yes").status == 0)
    let left = try FileManager.default.subpathsOfDirectory(atPath: files.path(""))
    #expect(
      !left.contains { $0.contains("Library.sqlite") || $0.contains("Library_") || $0.contains("Link") }, "\(left)")
  }

  /// What `destroyPersistentStore` leaves.
  @Test func anEmptiedStoreIsNamed() throws {
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .destroyPersistentStore(at: files.store, ofType: NSSQLiteStoreType)
    for command in ["info", "verify", "query"] {
      let tool = try Tool(["store", command, files.store.path] + (command == "query" ? ["Book"] : []))
      #expect(tool.status == 1 && tool.errors.contains("was destroyed or never filled"), "\(tool.errors)")
    }
    #expect(try Tool("store", "destroy", files.store.path, "--yes").status == 0)
    #expect(!FileManager.default.fileExists(atPath: files.store.path))
  }

  @Test func destroyingTakesEverythingAndNeedsAYes() throws {
    try files.moveCoverToFile(of: 1)
    let tool = try Tool("store", "destroy", files.store.path)
    #expect(tool.status == 64 && FileManager.default.fileExists(atPath: files.store.path))
    #expect(try Tool("store", "destroy", files.store.path, "--yes").status == 0)
    #expect(try files.contents().keys.sorted() == ["Library.xcdatamodel", "Library.xcdatamodel/contents"])
    try Data("hello".utf8).write(to: URL(fileURLWithPath: files.path("text")))
    #expect(try Tool("store", "destroy", files.path("text"), "--yes").status == 1)
    #expect(FileManager.default.fileExists(atPath: files.path("text")))
  }
}
