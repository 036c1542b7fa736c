import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import Testing

/// A store is opened to be changed as it is, and others may be at work with it.
@Suite struct StoreWriterTests {
  private func rename(_ name: String, _ new: String, _ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      try Shop.person(name, in: context).setValue(new, forKey: "name")
      try context.save()
    }
  }

  @Test func changesAreSavedByTheModelThatTheStoreKeeps() throws {
    let shop = try Shop()
    let writer = try StoreWriter(shop.store)
    #expect(writer.kind == .sqlite && !writer.hasHistory)
    let context = writer.context(author: "studio")
    try rename("P1", "New", context)
    let reader = try StoreReader(shop.store)
    #expect(try reader.count(of: ObjectQuery(entity: "Person", predicate: "name == \"New\"")) == 1)
    // What the file's own programs rely on is as it was.
    #expect(try shop.number("SELECT COUNT(*) FROM sqlite_master WHERE name = 'ATRANSACTION'") == 0)
    let reference = try #require(ObjectReference("Person/p1"))
    let id = try #require(writer.objectID(of: reference))
    #expect(ObjectReference(id) == reference)
    let made = context.performAndWait { Shop.make("Person", in: context, [:]).objectID }
    #expect(ObjectReference(made) == nil)
  }

  @Test func historyIsKeptWhereTheStoreKeepsIt() throws {
    let shop = try Shop(hasHistory: true)
    let writer = try StoreWriter(shop.store)
    #expect(writer.hasHistory)
    try rename("P0", "New", writer.context(author: "studio"))
    let last = try #require(try StoreReader(shop.store).history(limit: 1).first)
    #expect(last.author == "studio" && last.changes.map(\.kind) == [.update])
  }

  @Test(arguments: ["wal", "delete"]) func theJournalModeStays(mode: String) throws {
    let shop = try Shop()
    _ = try shop.number("PRAGMA journal_mode = \(mode)")
    do {
      let writer = try StoreWriter(shop.store)
      try rename("P0", "New", writer.context(author: "studio"))
    }
    #expect(try StoreReader(shop.store).info().journalMode == mode)
  }

  @Test func anotherProgramsChangeIsAConflictWithBothVersions() throws {
    let shop = try Shop(stays: true)
    let writer = try StoreWriter(shop.store)
    let context = writer.context(author: "studio")
    try context.performAndWait {
      let person = try Shop.person("P0", in: context)
      person.setValue(50, forKey: "age")
      try shop.write { try Shop.person("P0", in: $0).setValue(60, forKey: "age") }
      let error = try #require(throws: (any Error).self) { try context.save() }
      let conflict = try #require((error as? CocoaError)?.persistentStoreSaveConflicts?.first)
      #expect((conflict.persistedSnapshot ?? conflict.cachedSnapshot)?["age"] as? Int == 60)
      #expect(conflict.objectSnapshot?["age"] as? Int == 0 && person.value(forKey: "age") as? Int == 50)
      #expect(context.hasChanges)
    }
  }

  @Test func whatCannotBeOpenedIsSaidInWords() throws {
    let shop = try Shop()
    let missing = shop.folder.appending(path: "None.sqlite")
    #expect(throws: ToolError.self) { try StoreWriter(missing) }
    let text = shop.folder.appending(path: "Text.sqlite")
    try Data("no store".utf8).write(to: text)
    #expect(throws: ToolError.self) { try StoreWriter(text) }
    // Nothing is made where there was nothing.
    #expect(!FileManager.default.fileExists(atPath: missing.path))
  }

  @Test func valuesThatTheModelListsAreTold() throws {
    let person = try #require(Shop.model().entitiesByName["Person"])
    #expect(Set(person.attributesByName["kind"]?.listedValues ?? []) == ["adult", "child"])
    #expect(person.attributesByName["color"]?.listedValues == ["red", "green"])
    #expect(person.attributesByName["name"]?.listedValues == [])
  }
}
