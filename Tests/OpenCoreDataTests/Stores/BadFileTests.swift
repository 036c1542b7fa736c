import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Files that are no store, or not this model's: the right code, path and reason, and not a byte changed.
@Suite struct BadFileTests {
  /// A store of the library with `count` authors, closed; in WAL mode without a log beside it, as SQLite leaves it.
  private func store(authors count: Int = 200) throws -> URL {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      for number in 0..<count { _ = context.make("Author", ["name": "Author number \(number)"]) }
      try context.save()
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    #expect(try FolderContents(url.deletingLastPathComponent()).files.keys.sorted() == ["Store.sqlite"])
    return url
  }

  @Test func textIsNoDatabase() throws {
    let url = try TestModel.temporaryFile()
    for text in ["not a database", String(repeating: "not a database ", count: 1000)] {
      try Data(text.utf8).write(to: url)
      #expect(try refusal(url).code == CocoaError.Code.fileReadCorruptFile.rawValue)
    }
  }

  @Test(arguments: [50, 100, 4096, 10_000, -1]) func truncatedFile(size: Int) throws {
    let url = try store()
    let whole = try Data(contentsOf: url)
    try whole.prefix(size > 0 ? size : whole.count - 1).write(to: url)
    #expect(try refusal(url).code == CocoaError.Code.fileReadCorruptFile.rawValue)
  }

  @Test func damagedSchemaPage() throws {
    let url = try store()
    var bytes = try Data(contentsOf: url)
    bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xEE, count: 3996))
    try bytes.write(to: url)
    #expect(try refusal(url).code == CocoaError.Code.fileReadCorruptFile.rawValue)
  }

  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) func databaseThatIsNoStore() throws {
    let url = try TestModel.temporaryFile()
    try Shell.sql(url, "CREATE TABLE people (name TEXT); INSERT INTO people VALUES ('Ann')")
    let error = try refusal(url)
    #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
    #expect(error.localizedDescription.contains("Z_METADATA"))
  }

  @Test(
    .enabled(if: Shell.hasSQLite, "sqlite3 is not there"),
    arguments: [
      "UPDATE Z_METADATA SET Z_PLIST = X'00010203'", "UPDATE Z_METADATA SET Z_PLIST = NULL", "DELETE FROM Z_METADATA",
      "UPDATE Z_METADATA SET Z_PLIST = '<plist></plist>'", "DROP TABLE Z_METADATA",
    ]) func damagedMetadata(statement: String) throws
  {
    let url = try store()
    try Shell.sql(url, statement)
    let code = try refusal(url).code
    #expect(
      [CocoaError.Code.fileReadCorruptFile.rawValue, NSPersistentStoreIncompatibleVersionHashError].contains(code))
  }

  @Test func storeOfAnotherModelNamesTheEntities() throws {
    let url = try store()
    let model = TestModel.library()
    model.entitiesByName["Tag"]?.properties.append(TestModel.attribute("colour", .stringAttributeType))
    model.entities.append(TestModel.entity("Shelf", [TestModel.attribute("number", .integer16AttributeType)]))
    let error = try refusal(url, model)
    #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(error.userInfo["entities"] as? [String] == ["Shelf", "Tag"])
    #expect(error.localizedDescription.contains("Shelf, Tag"))
    let metadata = error.userInfo["metadata"] as? [String: Any]
    #expect(metadata?[NSStoreModelVersionHashesKey] is [String: Data])
  }

  /// The application crashed: its last saves are in the log alone, which must neither vanish nor move.
  @Test func storeOfAnotherModelWithALogBesideIt() throws {
    let url = try store()
    let copy = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      _ = context.make("Author", ["name": "in the log"])
      try context.save()
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    let model = TestModel.library()
    model.entitiesByName["Tag"]?.properties.append(TestModel.attribute("colour", .stringAttributeType))
    #expect(try refusal(copy, model).code == NSPersistentStoreIncompatibleVersionHashError)
    let again = TestModel.context(try TestModel.coordinator(TestModel.library(), url: copy))
    #expect(try again.performAndWait { try again.all("Author").count } == 201)
    withExtendedLifetime(coordinator) {}
  }

  @Test func folderInPlaceOfAFile() throws {
    let url = try TestModel.temporaryFile()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let error = try refusal(url)
    #expect(error.code == CocoaError.Code.fileReadUnknown.rawValue)
    #expect(error.localizedDescription.contains("folder"))
  }

  @Test func folderThatIsNotThere() throws {
    let url = try TestModel.temporaryFile().appendingPathComponent("deeper/Store.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    }
    #expect(error?.code == CocoaError.Code.fileReadUnknown.rawValue)
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
    #expect(error?.localizedDescription.contains("no folder \(url.deletingLastPathComponent().path)") == true)
  }

  @Test func otherTypesAndURLs() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    let file = try TestModel.temporaryFile()
    func code(_ type: String, _ url: URL?, _ configuration: String? = nil) -> Int? {
      do {
        try coordinator.addPersistentStore(ofType: type, configurationName: configuration, at: url)
        return nil
      } catch { return (error as NSError).code }
    }
    #expect(code("Papyrus", file) == NSPersistentStoreInvalidTypeError)
    #expect(code(NSSQLiteStoreType, nil) == NSPersistentStoreOpenError)
    #expect(code(NSSQLiteStoreType, URL(string: "https://example.org/a")) == NSPersistentStoreOpenError)
    #expect(code(NSSQLiteStoreType, file, "No such configuration") == NSPersistentStoreOpenError)
    #expect(try FolderContents(file.deletingLastPathComponent()).files.isEmpty)
    #expect(code(NSSQLiteStoreType, file) == nil)
    #expect(code(NSSQLiteStoreType, file) == NSPersistentStoreOpenError)
  }

  @Test func emptyFileBecomesAStore() throws {
    let url = try TestModel.temporaryFile()
    try Data().write(to: url)
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    try context.performAndWait {
      _ = context.make("Author")
      try context.save()
      #expect(try context.all("Author").count == 1)
    }
  }

  /// A page in the middle is damaged: the fetch that comes across it says so, and the program goes on.
  @Test func damagedPageShowsInTheFetch() throws {
    let url = try store(authors: 3000)
    var bytes = try Data(contentsOf: url)
    let name = try #require(bytes.range(of: Data("Author number 1500".utf8)))
    let page = name.lowerBound / 4096 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xEE, count: 4096))
    try bytes.write(to: url)
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    context.performAndWait {
      let error = #expect(throws: NSError.self) { try context.all("Author") }
      #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
      #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
    }
  }

  @Test(.enabled(if: Shell.hasSQLite, "There is no sqlite3.")) func aCountOfKeysThatIsBehindIsDamage() throws {
    let url = try TestModel.temporaryFile()
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    try context.performAndWait {
      _ = context.make("Tag", ["name": "a"])
      try context.save()
      _ = try Shell.sql(url, "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Tag'")
      let tag = context.make("Tag", ["name": "b"])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
      #expect(error?.localizedDescription.contains("Z_MAX") == true)
      #expect(tag.isInserted)
      _ = try Shell.sql(url, "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Tag'")
      try context.save()
    }
  }
}
