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

  /// Lets go of the index when somebody has found that it cannot be written.
  private func whileRead(_ url: URL, _ body: () throws -> Void) throws {
    let reader = Mutex<SQLiteConnection?>(nil), waits = Mutex(0)
    try reader.withLock { $0 = try look(url) }
    try SharedIndex.$whenOnlyRead.withValue(
      {
        waits.withLock { $0 += 1 }
        reader.withLock { $0 = nil }
      }, operation: body)
    #expect(waits.withLock { $0 } == 1)
  }

  @Test func aStoreThatIsOpenedThenWrites() throws {
    let url = try left()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try whileRead(url) {
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    }
    try coordinator.inContext { context in
      _ = context.make("Author", ["name": "C"])
      try context.save()
      #expect(try context.names("Author").sorted() == ["A", "B", "C"])
    }
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(try StoreCheck.errors(url) == [])
  }

  enum Operation: CaseIterable { case migration, exchange, replacement, destruction, check, metadata, cleaning }

  /// Whatever writes to a store's file without opening it as a store.
  @Test(arguments: Operation.allCases) func whoeverWritesWaits(_ operation: Operation) throws {
    let url = try left()
    let files = try StoreFiles(url), options = try StoreOptions(nil)
    try whileRead(url) {
      switch operation {
      case .migration:
        let model = TestModel.library()
        model.entitiesByName["Tag"]?.properties.append(TestModel.attribute("color", .stringAttributeType))
        try InPlaceMigration(storeAt: url, from: TestModel.library(), to: model).run()
      case .exchange: try StoreExchange(files, options: options).takeContents(of: FileStore.make(["X"]))
      case .replacement:
        try StoreReplacement.replace(
          files, options: options, with: StoreFiles(FileStore.make(["X"])), sourceOptions: options)
      case .destruction: try StoreDestruction.destroy(files, options: options)
      case .check: try StoreDestruction.check(files, options: options)
      case .metadata: try StoreMetadata.write(["a": "b"], at: url, options: nil)
      case .cleaning: _ = try ExternalFileCleaning.remove(storeAt: url)
      }
    }
    if operation == .destruction { return }
    #expect(try StoreCheck.errors(url) == [])
    let names = try SQLiteConnection(path: url.path, readOnly: true, create: false, timeout: 5, pragmas: [])
      .rows("SELECT ZNAME FROM ZAUTHOR ORDER BY 1").map { $0[0] }
    #expect(names == ([.exchange, .replacement].contains(operation) ? ["X"] : ["A", "B"]))
  }

  /// A file that cannot be written is not waited for.
  @Test func aFileThatCannotBeWrittenIsNotWaitedFor() throws {
    let url = try FileStore.make(["A"])
    let isWaiting = Mutex(false)
    try SharedIndex.$whenOnlyRead.withValue({ isWaiting.withLock { $0 = true } }) {
      let connection = try SharedIndex.writable(timeout: 5) {
        try SQLiteConnection(path: url.path, readOnly: true, create: false, timeout: 5, pragmas: [])
      }
      #expect(try connection.integer("SELECT COUNT(*) FROM ZAUTHOR") == 1)
    }
    #expect(!isWaiting.withLock { $0 })
  }
}
