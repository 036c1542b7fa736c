import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What stores say about themselves, read and written without opening them.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct MetadataTests {
  private typealias Coordinator = NSPersistentStoreCoordinator

  private func metadata(_ url: URL) throws -> [String: Any] {
    try Coordinator.metadataForPersistentStore(type: .sqlite, at: url)
  }

  @Test func readingLeavesTheFileAlone() throws {
    let url = try FileStore.make(["A"])
    let before = try FolderContents(url.deletingLastPathComponent())
    let metadata = try metadata(url)
    #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    #expect(UUID(uuidString: metadata[NSStoreUUIDKey] as? String ?? "") != nil)
    #expect(
      metadata[NSStoreModelVersionHashesKey] as? [String: Data] == TestModel.library().entityVersionHashesByName)
    #expect(try FolderContents(url.deletingLastPathComponent()) == before)
  }

  @Test func writingKeepsWhatTheFrameworkNeeds() throws {
    let url = try FileStore.make(["A"])
    let old = try metadata(url)
    try Shell.sql(url, "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine'); ALTER TABLE ZTAG ADD extra")
    let value: [String: Any] = ["list": [1, 2.5, Date(timeIntervalSinceReferenceDate: 5)], "name": "Größe"]
    try Coordinator.setMetadata(["mine": value, "kept": true], type: .sqlite, at: url)
    var new = try metadata(url)
    #expect(NSDictionary(dictionary: new["mine"] as? [String: Any] ?? [:]) == NSDictionary(dictionary: value))
    for (key, value) in old { #expect(NSArray(object: new[key] ?? 0) == NSArray(object: value), "\(key)") }
    // A whole dictionary replaces what was there; nil takes away what is the application's.
    try Coordinator.setMetadata([NSStoreTypeKey: "Papyrus", "other": 1], type: .sqlite, at: url)
    new = try metadata(url)
    #expect(new["mine"] == nil && new["other"] as? Int == 1 && new[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    try Coordinator.setMetadata(nil, type: .sqlite, at: url)
    #expect(NSDictionary(dictionary: try metadata(url)) == NSDictionary(dictionary: old))
    #expect(
      try Shell.sql(url, "SELECT text, (SELECT COUNT(*) FROM pragma_table_info('ZTAG')) FROM notes") == ["mine|5"])
    #expect(try FileStore.names(at: url) == ["A"])
  }

  @Test func theIdentifierCanBeChanged() throws {
    let url = try FileStore.make(["A"])
    let id = UUID().uuidString
    try Coordinator.setMetadata([NSStoreUUIDKey: id], type: .sqlite, at: url)
    #expect(try metadata(url)[NSStoreUUIDKey] as? String == id)
    #expect(try Shell.sql(url, "SELECT Z_UUID FROM Z_METADATA") == [id])
    #expect(try FileStore.open(url).persistentStores[0].identifier == id)
    #expect(
      FileStore.code { try Coordinator.setMetadata([NSStoreUUIDKey: "a b/c"], type: .sqlite, at: url) }
        == NSPersistentStoreOperationError)
  }

  @Test func whatNoPropertyListHoldsIsRefused() throws {
    let url = try FileStore.make(["A"])
    let before = try metadata(url)
    let error = #expect(throws: NSError.self) {
      try Coordinator.setMetadata(["good": 1, "bad": UUID()], type: .sqlite, at: url)
    }
    #expect(error?.code == CocoaError.Code.propertyListWriteInvalid.rawValue)
    #expect(error?.localizedDescription.hasSuffix(": bad") == true)
    #expect(NSDictionary(dictionary: try metadata(url)) == NSDictionary(dictionary: before))
  }

  @Test func placesThatAreNoStore() throws {
    let folder = try TestModel.temporaryFile().deletingLastPathComponent()
    let text = folder.appendingPathComponent("text"), database = folder.appendingPathComponent("database")
    try Data("some text".utf8).write(to: text)
    try Shell.sql(database, "CREATE TABLE people (name)")
    let before = try FolderContents(folder)
    for (url, code) in [
      (folder.appendingPathComponent("none"), 260), (folder.appendingPathComponent("none/none"), 260), (folder, 256),
      (text, 259), (database, 259), (URL(fileURLWithPath: "/dev/null"), 260), (URL(fileURLWithPath: "/dev/zero"), 256),
      (URL(string: "https://example.org/a")!, NSPersistentStoreOpenError),
    ] {
      #expect(FileStore.code { _ = try metadata(url) } == code, "\(url)")
      #expect(FileStore.code { try Coordinator.setMetadata(["a": 1], type: .sqlite, at: url) } == code, "\(url)")
    }
    #expect(
      FileStore.code { _ = try Coordinator.metadataForPersistentStore(ofType: "Papyrus", at: text) }
        == NSPersistentStoreInvalidTypeError)
    #expect(try FolderContents(folder) == before)
  }

  @Test func whatIsInTheLogCounts() throws {
    let url = try FileStore.make([])
    let coordinator = try FileStore.open(url)
    try FileStore.add(["in the log"], to: coordinator)
    try Coordinator.setMetadata(["custom": "in the log"], type: .sqlite, at: url)
    let copy = try FileStore.crashedCopy(of: url)
    let before = try FolderContents(copy.deletingLastPathComponent())
    #expect(try metadata(copy)["custom"] as? String == "in the log")
    #expect(try FolderContents(copy.deletingLastPathComponent()) == before)
    try Coordinator.setMetadata(["custom": "new"], type: .sqlite, at: copy)
    #expect(try FileStore.names(at: copy) == ["in the log"])
    #expect(try metadata(copy)["custom"] as? String == "new")
  }

  /// A process that opens a file and closes it loses the locks of its connections; the last program to leave a store takes
  /// its log away, and would then do so under our feet.
  @Test func lookingAtAnOpenStoreLeavesItsLocks() throws {
    let url = try FileStore.make([])
    let coordinator = try FileStore.open(url)
    try FileStore.add(["A"], to: coordinator)
    _ = try metadata(url)
    _ = try NSManagedObjectModel(contentsOfStoreAt: url)
    let other = try FileStore.open(url)
    try FileStore.close(other)
    #expect(try Shell.sql(url, "SELECT ZNAME FROM ZAUTHOR") == ["A"])
    #expect(try FileStore.files(beside: url) == ["Store.sqlite", "Store.sqlite-shm", "Store.sqlite-wal"])
    try FileStore.add(["B"], to: coordinator)
    #expect(try Shell.sql(url, "SELECT ZNAME FROM ZAUTHOR") == ["A", "B"])
  }

  @Test func aLockedStoreIsWaitedForAsLongAsAsked() throws {
    let url = try FileStore.make(["A"])
    let other = try OtherProcess(url)
    try other.run("BEGIN IMMEDIATE;")
    let begin = ContinuousClock.now
    let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.3]
    let code = FileStore.code { try Coordinator.setMetadata(["a": 1], type: .sqlite, at: url, options: options) }
    let time = ContinuousClock.now - begin
    // Not at once, and not after the usual time.
    #expect(code == NSPersistentStoreTimeoutError && time > .seconds(0.25))
    #expect(time < .seconds(NSPersistentStoreDescription().timeout))
    #expect(try metadata(url)["a"] == nil)
    try other.run("COMMIT;")
    try Coordinator.setMetadata(["a": 1], type: .sqlite, at: url, options: options)
    #expect(try metadata(url)["a"] as? Int == 1)
  }
}

extension MetadataTests {
  /// {"a": a set of "x"}: Foundation reads it, and stops the program that casts it.
  private static let listWithSet =
    "62706C6973743030D101025161C1035178080B0D0F0000000000000101000000000000000400000000000000000000000000000011"

  @Test func aSetInTheMetadataIsDamage() throws {
    let url = try FileStore.make(["A"])
    try Shell.sql(url, "UPDATE Z_METADATA SET Z_PLIST = X'\(Self.listWithSet)'")
    #expect(FileStore.code { _ = try FileStore.open(url) } == CocoaError.Code.fileReadCorruptFile.rawValue)
    #expect(
      FileStore.code {
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: NSSQLiteStoreType, at: url, options: nil)
      } == CocoaError.Code.fileReadCorruptFile.rawValue)
    #expect(try Shell.sql(url, "SELECT hex(Z_PLIST) FROM Z_METADATA") == [Self.listWithSet])
  }

  @Test func aSetBesideAModelIsLookedPast() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ocd-\(UUID())/M.momd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let bytes = stride(from: 0, to: Self.listWithSet.count, by: 2).compactMap {
      UInt8(Self.listWithSet.dropFirst($0).prefix(2), radix: 16)
    }
    try Data(bytes).write(to: folder.appending(path: "VersionInfo.plist"))
    #expect(NSManagedObjectModel(contentsOf: folder) == nil)
  }

  /// Whatever somebody has written there: objects have URIs that lead back to them, or to nothing.
  @Test(arguments: ["a b/c", "", "%%%", "größe", "[", "x'y", String(repeating: "z", count: 3000)])
  func identifiersThatAreNoUUID(identifier: String) throws {
    let url = try FileStore.make(["A"])
    let quoted = identifier.replacingOccurrences(of: "'", with: "''")
    try Shell.sql(url, "UPDATE Z_METADATA SET Z_UUID = '\(quoted)'")
    let coordinator = try FileStore.open(url)
    let object = try coordinator.inContext { try $0.named("A", "Author").objectID }
    let id = coordinator.managedObjectID(forURIRepresentation: object.uriRepresentation())
    #expect(id == nil || id == object)
    try FileStore.add(["B"], to: coordinator)
    try Shell.sql(url, "UPDATE Z_METADATA SET Z_UUID = NULL")
    #expect(try FileStore.names(at: url) == ["A", "B"])
  }
}
