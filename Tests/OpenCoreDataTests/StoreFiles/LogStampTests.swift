import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The stamp of a store's state is read beside connections that are open.
@Suite struct LogStampTests {
  /// If this process opened the index of the log by itself and closed it, the system would release all its locks there.
  @Test func theLocksOfReadersStay() throws {
    let store = try ExternalFixture()
    let reader = try SQLiteConnection(path: store.file.path, readOnly: true, create: false, timeout: 5, pragmas: [])
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT COUNT(*) FROM ZALBUM") == 0)
    try store.inContext { context in
      _ = context.make("Album", ["name": "a"])
      try context.save()
    }
    let persistent = try #require(store.coordinator.persistentStores.first)
    let stamp = try #require(persistent.stateStamp())
    #expect(persistent.stateStamp() == stamp)
    // Another process must not begin the log anew as long as somebody reads in it.
    let checkpoint = try Shell.sql(store.file, "PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(checkpoint.first?.hasPrefix("1") == true, "\(checkpoint)")
    #expect(try reader.integer("SELECT COUNT(*) FROM ZALBUM") == 0)
    try reader.execute("COMMIT")
    try store.inContext { context in
      _ = context.make("Album", ["name": "b"])
      try context.save()
    }
    #expect(persistent.stateStamp() != stamp)
  }
}
