import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Files that go, or become other files, while a store is open.
@Suite struct MovedFileTests {
  private let noPermission = CocoaError.Code.fileWriteNoPermission.rawValue

  /// What SQLite writes to a file without a name is lost when it is closed: the save says so.
  @Test(arguments: ["WAL", "DELETE"]) func fileThatIsGoneAndComesBack(mode: String) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try Obstacle.store(url, pragmas: ["journal_mode": mode])
    let obstacle = try Obstacle(coordinator)
    let away = url.deletingLastPathComponent().appendingPathComponent("Away")
    try FileManager.default.moveItem(at: url, to: away)
    try obstacle.fails(noPermission, path: url.path)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: away.deletingLastPathComponent().path).contains(
        "Store.sqlite") == false)
    try FileManager.default.moveItem(at: away, to: url)
    try obstacle.isGone(url)
  }

  @Test func fileThatIsRemoved() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try Obstacle.store(url)
    let obstacle = try Obstacle(coordinator)
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: url.path + suffix) }
    try obstacle.fails(noPermission, path: url.path)
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    #expect(try FolderContents(url.deletingLastPathComponent()).files.isEmpty)
  }

  /// Contexts get connections as they need them: none of them may read another store in this one's place.
  @Test func fileThatAnotherStoreReplaces() throws {
    let url = try TestModel.temporaryFile(), other = try TestModel.temporaryFile()
    let coordinator = try Obstacle.store(url)
    let obstacle = try Obstacle(coordinator)
    let second = try TestModel.coordinator(TestModel.library(), url: other)
    try second.inContext { context in
      for name in ["Xan", "Yan", "Zan"] { _ = context.make("Author", ["name": name]) }
      try context.save()
    }
    try second.remove(try #require(second.persistentStores.first))
    let bytes = try Data(contentsOf: other)
    #expect(rename(other.path, url.path) == 0)
    try obstacle.fails(noPermission, path: url.path)
    // The contexts take more connections than have been opened so far.
    let contexts = (0..<4).map { _ in TestModel.context(coordinator) }
    func read(_ rest: ArraySlice<NSManagedObjectContext>) {
      guard let context = rest.first else { return }
      context.performAndWait {
        do {
          let names = try context.names("Author")
          #expect(names == ["Ann", "Ben"])
        } catch {
          #expect((error as NSError).code == CocoaError.Code.fileReadUnknown.rawValue, "\(error)")
          #expect((error as NSError).userInfo[NSFilePathErrorKey] as? String == url.path)
        }
        read(rest.dropFirst())
      }
    }
    read(contexts[...])
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    #expect(try Data(contentsOf: url) == bytes)
  }
}
