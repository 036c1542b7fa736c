import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What others put beside a store: nothing waits for it, follows it, or takes it for the store's own.
@Suite struct HostileFileTests {
  typealias Fixture = ExternalFixture

  private func store() throws -> Fixture {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
    }
    return store
  }

  private func foreignFolder() throws -> URL {
    let folder = try TestModel.temporaryFile("Foreign")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("foreign".utf8).write(to: folder.appendingPathComponent(UUID().uuidString))
    return folder
  }

  private func problems(_ store: Fixture) throws -> [StoreProblem] {
    StoreVerification(try InspectedStore(store.file)).problems()
  }

  /// Links, pipes and the like that no row names are left where they are, and `verify` tells of them.
  @Test func whatNoRowNamesIsNotCopied() throws {
    let store = try store()
    for obstacle in UnreadableValueTests.Obstacle.allCases {
      try obstacle.put(store.folder.appendingPathComponent(UUID().uuidString))
      try obstacle.put(store.folder.deletingLastPathComponent().appendingPathComponent(obstacle.rawValue))
    }
    try Data([1]).write(to: store.folder.appendingPathComponent("own notes"))
    let copy = try TestModel.temporaryFile("Copy.sqlite")
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: store.file, to: copy)
    let copied = try Fixture(at: copy)
    #expect(try copied.files() == copied.references() && copied.files().count == 1)
    let support = copied.folder.deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: support.path).sorted() == ["_EXTERNAL_DATA", "folder"])
    let found = try problems(store)
    #expect(found.map(\.kind) == [.foreignExternalFile] && found.first?.count == 5, "\(found)")
    #expect(
      found.first?.severity == .warning && found.first?.examples.contains("own notes (no name of a value)") == true)
    #expect(try problems(copied).isEmpty)
  }

  @Test(arguments: UnreadableValueTests.Obstacle.allCases)
  func whatARowNamesIsReported(obstacle: UnreadableValueTests.Obstacle) throws {
    let blocked = try UnreadableValueTests.Blocked(obstacle)
    let found = try problems(blocked.store)
    #expect(found.map(\.kind) == [.unreadableExternalFile, .foreignExternalFile], "\(found)")
    #expect(found.first?.severity == .error && found.first?.place == "Picture.data")
    #expect(found.first?.text.contains("it is a \(obstacle.rawValue)") == true)
  }

  @Test(arguments: [".Store_SUPPORT", ".Store_SUPPORT/_EXTERNAL_DATA"])
  func aFolderThatIsALinkIsNobodysValue(name: String) throws {
    let store = try store()
    let foreign = try foreignFolder()
    let before = try FolderContents(foreign)
    let place = store.file.deletingLastPathComponent().appendingPathComponent(name)
    let aside = try TestModel.temporaryFile("aside")
    try FileManager.default.moveItem(at: place, to: aside)
    #expect(symlink(foreign.path, place.path) == 0)
    try store.inContext { context in
      let picture = try #require(try context.all("Picture").first)
      picture.setValue(Fixture.bytes(150_000, 2), forKey: "data")
      #expect(throws: NSError.self) { try context.save() }
      context.rollback()
      context.delete(picture)
      try context.save()
      _ = context.make("Picture", ["name": "b", "data": Data([1])])
      try context.save()
    }
    #expect(try problems(store).map(\.kind) == [.externalFolder])
    let copy = try TestModel.temporaryFile("Copy.sqlite")
    // No row names a value any more.
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: store.file, to: copy)
    let values = URL(fileURLWithPath: ExternalStorage(storePath: copy.path).folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: values.path) == [])
    #expect(throws: NSError.self) { try ExternalFileCleaning.remove(storeAt: store.file, olderThan: 0) }
    try store.coordinator.destroyPersistentStore(at: store.file, ofType: NSSQLiteStoreType)
    #expect(access(place.path, F_OK) != 0)
    #expect(try FolderContents(foreign) == before)
  }

  @Test func aCopyOverALinkLeavesWhatItLeadsTo() throws {
    let store = try store()
    let foreign = try foreignFolder()
    let before = try FolderContents(foreign)
    let copy = try TestModel.temporaryFile("Copy.sqlite")
    #expect(symlink(foreign.path, ExternalStorage.supportFolder(forStoreAt: copy).path) == 0)
    #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator.backUpPersistentStore(at: store.file, to: copy)
    }
    #expect(try FolderContents(foreign) == before)
    #expect(try FileStore.files(beside: copy) == [".Copy_SUPPORT"])
  }

  /// A pipe with the name of a store beside this one; whoever opened it would wait for ever.
  @Test func pipesBesideAStoreAreNotOpened() throws {
    let store = try store()
    let pipe = store.file.deletingPathExtension().appendingPathExtension("old")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    #expect(try ExternalFileReport(storeAt: store.file).orphans.isEmpty)
    _ = try ExternalFileCleaning.remove(storeAt: store.file)
    #expect(throws: NSError.self) { try TestModel.coordinator(Fixture.model(), url: pipe) }
    try store.coordinator.destroyPersistentStore(at: store.file, ofType: NSSQLiteStoreType)
    #expect(!FileManager.default.fileExists(atPath: store.folder.path))
    let model = try TestModel.temporaryFile("Model.mom")
    #expect(mkfifo(model.path, 0o600) == 0)
    #expect(NSManagedObjectModel(contentsOf: model) == nil)
  }

  // MARK: Modes

  /// The files and folders below one that others than its owner may use.
  private func wide(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
      var status = stat()
      return lstat(folder.appendingPathComponent(name).path, &status) == 0 && status.st_mode & 0o077 != 0
    }.sorted()
  }

  @Test func nothingIsReadableByMoreThanTheStore() throws {
    let first = try store()
    try first.coordinator.remove(first.coordinator.persistentStores[0])
    try FileManager.default.removeItem(at: first.folder.deletingLastPathComponent())
    chmod(first.file.path, 0o600)
    let store = try Fixture(at: first.file)
    try store.inContext { context in
      _ = context.make("Picture", ["name": "b", "data": Fixture.large])
      try #require(try context.all("Picture").first { $0.text("name") == "a" }).setValue(nil, forKey: "data")
      try context.save()
    }
    let folder = store.file.deletingLastPathComponent()
    #expect(try wide(in: folder) == [])
    let copies = try TestModel.temporaryFile("Copy.sqlite")
    let target = copies.deletingLastPathComponent()
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: store.file, to: copies)
    try store.coordinator.replacePersistentStore(
      at: target.appendingPathComponent("Replaced.sqlite"), withPersistentStoreFrom: store.file,
      ofType: NSSQLiteStoreType)
    for (name, type) in [
      ("Saved.xml", NSXMLStoreType), ("Saved.binary", NSBinaryStoreType), ("Again.sqlite", NSSQLiteStoreType),
    ] {
      let other = target.appendingPathComponent(name)
      try store.coordinator.migratePersistentStore(
        store.coordinator.persistentStores[0], to: other, withType: type)
    }
    try store.inContext { context in
      try #require(try context.all("Picture").first).setValue("c", forKey: "name")
      try context.save()
    }
    #expect(try wide(in: target) == [])
    try RegularFile.copy(target.appendingPathComponent("Saved.xml"), to: target.appendingPathComponent("Copy.xml"))
    #expect(try wide(in: target) == [])
  }

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml])
  func norIsWhatAMigrationMakes(type: NSPersistentStore.StoreType) throws {
    let text = """
      <entity name='A'><attribute name='data' attributeType='Binary' optional='YES'
      allowsExternalBinaryDataStorage='YES'/></entity>
      """
    let stores = try MigrationStores(MigrationFixture.model(text), MigrationFixture.model(text))
    try stores.fill { _ = $0.make("A", ["data": Fixture.large]) }
    chmod(stores.source.path, 0o600)
    try stores.migrate(stores.inferred(), to: type)
    try FileManager.default.removeItem(at: stores.source)
    try FileManager.default.removeItem(at: ExternalStorage.supportFolder(forStoreAt: stores.source))
    #expect(try wide(in: stores.folder) == [])
  }
}
