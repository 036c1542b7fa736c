import CoreData
import Foundation
import Testing
import ToolProcess

/// Stores in one file, XML and binary.
@Suite(.serialized) struct FileStoreTests {
  private let files: StoreFiles

  init() throws { files = try StoreFiles() }

  /// The library in a store of another type.
  private func make(_ type: String) throws -> String {
    let url = URL(fileURLWithPath: files.path("Library.\(type)"))
    // Their transformer is not in this program.
    try files.damage("UPDATE ZITEM SET ZSHAPE = NULL")
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel(validatingContentsOf: URL(fileURLWithPath: files.model)))
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: files.store)
    let copy = try coordinator.migratePersistentStore(store, to: url, withType: type)
    try coordinator.remove(copy)
    try NSPersistentStoreCoordinator.setMetadata(["Mine": "x"], forPersistentStoreOfType: type, at: url)
    return url.path
  }

  @Test(arguments: [(NSXMLStoreType, "XML"), (NSBinaryStoreType, "binary")])
  func areShownExportedQueriedAndCopied(_ type: String, _ kind: String) throws {
    let store = try make(type)
    let before = try files.contents()
    let info = try Tool("store", "info", store, "--format", "json").json()
    #expect(info["kind"] as? String == kind && UUID(uuidString: info["uuid"] as? String ?? "") != nil)
    #expect(info["customMetadataKeys"] as? [String] == ["Mine"])
    let entities = try #require(info["entities"] as? [[String: Any]])
    // What the model does not have to tell: an object says which entity it is of.
    #expect(
      entities.map { "\($0["name"] ?? "") \($0["rows"] ?? "?") \($0["allRows"] ?? "?")" } == [
        "Book 2 ?", "Card 1 ?", "Chapter 2 ?", "Film 1 ?", "Item 0 ?", "Person 2 ?", "Tag 2 ?",
      ])
    let text = try Tool("store", "info", store, "--model", files.model).output
    #expect(text.contains("Item (abstract)     0                 3            "), "\(text)")
    #expect(
      try Tool("store", "export", store, "--model", files.model).output
        == Tool("store", "export", files.store.path).output)
    let query = ["store", "query", store, "Item", "--count", "--predicate", "owner == 'Person/p1'"]
    #expect(try Tool(query + ["--model", files.model]).output == "2\n")
    let tool = try Tool(query)
    #expect(
      tool.status == 1 && tool.errors.hasSuffix("is of the kind \(kind) and keeps no model. Give one with --model.\n"))
    #expect(try Tool("store", "export", store, "--entity", "Toy", "--model", files.model).errors.contains(store))
    #expect(try Tool("store", "verify", store).errors.hasSuffix("This command needs a SQLite store.\n"))
    #expect(try Tool("store", "import", store, store).errors.hasSuffix("This command needs a SQLite store.\n"))
    #expect(try files.contents() == before)

    #expect(try Tool("store", "copy", store, files.path("Copy")).status == 0)
    #expect(FileManager.default.contents(atPath: files.path("Copy")) == FileManager.default.contents(atPath: store))
    #expect(try Tool("store", "copy", store, files.path("Copy")).errors.contains("There is something at"))
    #expect(try Tool("store", "destroy", store, "--yes").status == 0)
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test func otherPropertyListsAreNotDestroyed() throws {
    let url = URL(fileURLWithPath: files.path("other.plist"))
    try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0).write(to: url)
    let tool = try Tool("store", "destroy", url.path, "--yes")
    #expect(tool.status == 1 && FileManager.default.fileExists(atPath: url.path), "\(tool.errors)")
  }
}
