import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What killed processes leave beside a store goes, and what others are at stays.
@Suite struct WorkingFolderTests {
  private func leftOver(beside url: URL) throws -> URL {
    let folder = url.deletingLastPathComponent().appendingPathComponent(
      ".Other.sqlite-\(UUID().uuidString).OCDWorking")
    let inner = folder.appendingPathComponent("Support/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data([1]).write(to: inner.appendingPathComponent("value"))
    try Data([1]).write(to: folder.appendingPathComponent("Copy-wal"))
    return folder
  }

  @Test func openingForWritingRemovesWhatNobodyHolds() throws {
    let url = try FileStore.make(["A"])
    let left = try leftOver(beside: url)
    let active = try WorkingFolder(beside: url.path)
    #expect(!FileManager.default.fileExists(atPath: left.path))
    let second = try leftOver(beside: url)
    let other = url.deletingLastPathComponent().appendingPathComponent(".Store.sqlite-notes.OCDWorking")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let link = url.deletingLastPathComponent().appendingPathComponent(".x-\(UUID().uuidString).OCDWorking")
    #expect(symlink(other.path, link.path) == 0)
    let before = try FolderContents(url.deletingLastPathComponent())
    try FileStore.close(FileStore.open(url, [NSReadOnlyPersistentStoreOption: true]))
    #expect(try FolderContents(url.deletingLastPathComponent()) == before)
    #expect(WorkingFolder.leftOver(beside: url.path) == [second.lastPathComponent])
    try FileStore.close(FileStore.open(url))
    #expect(!FileManager.default.fileExists(atPath: second.path))
    for kept in [active.path, other.path, link.path] {
      #expect(FileManager.default.fileExists(atPath: kept), "\(kept)")
    }
    active.remove()
    #expect(!FileManager.default.fileExists(atPath: active.path))
  }

  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func storesOfOneFileDoSoToo(type: String) throws {
    let url = try TestModel.temporaryFile("Store")
    let left = try leftOver(beside: url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    #expect(!FileManager.default.fileExists(atPath: left.path))
    try FileStore.add(["A"], to: coordinator)
    #expect(try FileStore.files(beside: url) == ["Store"])
  }

  /// Backups that are killed at some moment: the next opening finds no trace of them.
  @Test(arguments: 0..<min(40, 6 * Soak.factor)) func aKilledBackup(number: Int) async throws {
    let url = try TestModel.temporaryFile()
    let fixture = try ExternalFixture(at: url)
    try fixture.inContext { context in
      for name in 0..<5 { _ = context.make("Picture", ["name": "\(name)", "data": ExternalFixture.large]) }
      try context.save()
    }
    try fixture.coordinator.remove(fixture.coordinator.persistentStores[0])
    let path = url.path
    let share = Double(number % 6) / 5
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, share = share as Double] in
      try KilledProcess.run(on: URL(fileURLWithPath: path), share: share) { url in
        try NSPersistentStoreCoordinator.backUpPersistentStore(
          at: url, to: url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite"))
      }
    }
    let again = try ExternalFixture(at: url)
    let files = try FileStore.files(beside: url)
    #expect(files.filter { $0.contains("OCDWorking") } == [])
    if files.contains("Copy.sqlite") {
      let copy = try ExternalFixture(at: url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite"))
      #expect(try copy.files() == copy.references() && copy.files().count == 5)
    } else {
      #expect(files.filter { $0.contains("Copy") } == [])
    }
    #expect(try again.files() == again.references() && again.files().count == 5)
    try FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  /// Moves into another kind of store that are killed at some moment: the new store is there as a whole, or not at all.
  @Test(arguments: 0..<min(40, 6 * Soak.factor)) func aKilledMove(number: Int) async throws {
    let url = try TestModel.temporaryFile("Store.xml")
    func open(_ url: URL, _ type: String) throws -> NSPersistentStoreCoordinator {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ExternalFixture.model())
      try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
      return coordinator
    }
    try open(url, NSXMLStoreType).inContext { context in
      for name in 0..<700 { _ = context.make("Picture", ["name": "\(name)"]) }
      _ = context.make("Picture", ["name": "large", "data": ExternalFixture.large])
      try context.save()
    }
    let path = url.path
    let share = Double(number % 6) / 5
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, share = share as Double] in
      try KilledProcess.run(on: URL(fileURLWithPath: path), share: share) { url in
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ExternalFixture.model())
        let store = try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: url)
        _ = try coordinator.migratePersistentStore(
          store, to: url.deletingLastPathComponent().appendingPathComponent("Moved.sqlite"), options: nil,
          withType: NSSQLiteStoreType)
      }
    }
    #expect(try open(url, NSXMLStoreType).inContext { try $0.all("Picture").count } == 701)
    let files = try FileStore.files(beside: url)
    #expect(files.filter { $0.contains("OCDWorking") } == [])
    if files.contains("Moved.sqlite") {
      let moved = try ExternalFixture(at: url.deletingLastPathComponent().appendingPathComponent("Moved.sqlite"))
      #expect(try moved.inContext { try $0.all("Picture").count } == 701)
      #expect(try moved.files() == moved.references() && moved.files().count == 1)
    } else {
      #expect(files == ["Store.xml"])
    }
    try FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
}
