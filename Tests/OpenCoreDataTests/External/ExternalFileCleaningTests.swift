import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Files that no row names are removed, and none that anybody may still need.
@Suite struct ExternalFileCleaningTests {
  typealias Fixture = ExternalFixture

  private func store(_ name: String = "Store.sqlite") throws -> Fixture {
    let store = try Fixture(name)
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
    }
    return store
  }

  private func orphan(_ store: Fixture, seconds: TimeInterval = 7200) throws -> URL {
    let file = store.folder.appendingPathComponent(UUID().uuidString)
    try Data([1, 2, 3]).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: file.path)
    return file
  }

  private func age(_ store: Fixture) throws {
    for name in store.files() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)],
        ofItemAtPath: store.folder.appendingPathComponent(name).path)
    }
  }

  @Test func oldOnesGoAndYoungOnesStay() throws {
    let store = try store()
    try age(store)
    let old = try orphan(store), young = try orphan(store, seconds: 60), future = try orphan(store, seconds: -600)
    try Data([1]).write(to: store.folder.appendingPathComponent("own notes"))
    let before = try FolderContents(store.folder)
    let looked = try ExternalFileCleaning(storeAt: store.file)
    #expect(looked.files == [ExternalFileCleaning.File(url: old, size: 3)])
    #expect(Set(looked.spared.map(\.url)) == [young, future])
    #expect(try FolderContents(store.folder) == before)
    let removed = try ExternalFileCleaning.remove(storeAt: store.file)
    #expect(removed.files == looked.files && removed.spared == looked.spared)
    #expect(store.files().count == before.files.count - 1 && !store.files().contains(old.lastPathComponent))
    #expect(try store.references().isSubset(of: store.files()))
  }

  /// Stores that differ in their extension alone have one folder.
  @Test func whatANeighbourNamesStays() throws {
    let store = try store()
    let neighbour = store.file.deletingPathExtension().appendingPathExtension("old")
    let other = try Fixture(at: neighbour)
    try other.inContext { context in
      _ = context.make("Picture", ["name": "b", "data": Fixture.bytes(150_000, 2)])
      try context.save()
    }
    try age(store)
    let old = try orphan(store)
    #expect(try ExternalFileReport(storeAt: store.file).orphans == [old])
    #expect(try ExternalFileCleaning.remove(storeAt: store.file).files.map(\.url) == [old])
    #expect(try store.files() == store.references().union(other.references()) && store.files().count == 2)
    // Where nobody knows what it names, nothing goes.
    let again = try orphan(store)
    try other.coordinator.remove(other.coordinator.persistentStores[0])
    let bytes = try Data(contentsOf: neighbour)
    try (bytes.prefix(100) + Data(repeating: 7, count: bytes.count - 100)).write(to: neighbour)
    #expect(throws: NSError.self) { try ExternalFileCleaning.remove(storeAt: store.file) }
    #expect(FileManager.default.fileExists(atPath: again.path))
  }

  /// A reader that began before the latest save finds its value.
  @Test func whatAReaderMayNeedStays() throws {
    let store = try store()
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    let reader = try SQLiteConnection(
      path: store.file.path, readOnly: true, create: false, timeout: 5, pragmas: [])
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT COUNT(*) FROM ZPICTURE") == 1)
    _ = try store.sql("UPDATE ZPICTURE SET ZDATA = NULL")
    try age(store)
    let found = #expect(throws: NSError.self) { try ExternalFileCleaning.remove(storeAt: store.file, timeout: 0.1) }
    #expect(found?.code == NSPersistentStoreTimeoutError && store.files().count == 1)
    try reader.execute("COMMIT")
    #expect(try ExternalFileCleaning.remove(storeAt: store.file).files.count == 1 && store.files().isEmpty)
  }

  /// Another process has written a value, and its row is not committed yet.
  @Test func aSaveThatGoesOnKeepsItsFile() throws {
    let store = try store()
    let writer = try SQLiteConnection(
      path: store.file.path, readOnly: false, create: false, timeout: 5, pragmas: [])
    try writer.execute("BEGIN IMMEDIATE")
    let young = try orphan(store, seconds: 0)
    let found = #expect(throws: NSError.self) { try ExternalFileCleaning.remove(storeAt: store.file, timeout: 0.1) }
    #expect(found?.code == NSPersistentStoreTimeoutError)
    try writer.execute("ROLLBACK")
    #expect(try ExternalFileCleaning.remove(storeAt: store.file).spared.map(\.url) == [young])
  }
}
