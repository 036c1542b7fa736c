import CoreData
import Foundation
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that are opened while another thread looks at their files without writing to the index of the log.
@Suite struct SharedIndexTests {
  /// A store as a killed process leaves it, with its log and the log's index, of which this process has nothing open.
  private func left() throws -> URL {
    let store = try FileStore.make(["A"])
    let coordinator = try TestModel.coordinator(TestModel.library(), url: store)
    try coordinator.inContext { context in
      _ = context.make("Author", ["name": "B"])
      try context.save()
    }
    let place = try TestModel.temporaryFile()
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: place.path + suffix)
    }
    try coordinator.remove(coordinator.persistentStores[0])
    return place
  }

  private func look(_ url: URL) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: url.path, readOnly: true, create: false, readOnlyIndex: true, timeout: 5, pragmas: [])
    #expect(try connection.integer("SELECT COUNT(*) FROM ZAUTHOR") == 2)
    return connection
  }

  /// What the connections of a process have in common: SQLite itself, without this framework's care.
  @Test func aConnectionThatBeginsThenNeverWrites() throws {
    let url = try left()
    var reader: SQLiteConnection? = try look(url)
    let writer = try SQLiteConnection(path: url.path, readOnly: false, create: false, timeout: 0, pragmas: [])
    for _ in 0..<2 {
      let error = try #require(throws: NSError.self) { try writer.execute("BEGIN IMMEDIATE") }
      #expect(SQLiteError.has(error, code: 8))  // SQLITE_READONLY
      withExtendedLifetime(reader) {}
      reader = nil
    }
  }

  @Test func aStoreThatIsOpenedThenWrites() throws {
    let url = try left()
    let reader = Mutex<SQLiteConnection?>(nil)
    try reader.withLock { $0 = try look(url) }
    Thread.detachNewThread {
      usleep(100_000)
      reader.withLock { $0 = nil }
    }
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    try coordinator.inContext { context in
      _ = context.make("Author", ["name": "C"])
      try context.save()
      #expect(try context.names("Author").sorted() == ["A", "B", "C"])
    }
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(try StoreCheck.errors(url) == [])
  }
}
