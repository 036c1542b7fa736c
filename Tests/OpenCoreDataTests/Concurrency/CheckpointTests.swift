import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite struct CheckpointTests {
  /// A reader keeps what it sees in the log; when it leaves, the log goes into the file.
  @Test func theLogIsCopiedIntoTheFileWhenNobodyReadsAnyMore() throws {
    let file = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: file)
    let store = try #require(coordinator.sqlStores.first)
    store.readers.idleNanoseconds = .max  // the reader leaves when this test says so
    let reader = TestModel.context(coordinator), writer = TestModel.context(coordinator)
    try reader.performAndWait { () throws in
      #expect(try reader.all("Tag").isEmpty)
      for round in 0..<6 {
        try writer.performAndWait { () throws in
          for index in 0..<250 {
            _ = writer.make("Tag", ["name": String(repeating: "x", count: 4000) + "\(round)-\(index)"])
          }
          try writer.save()
        }
      }
    }
    store.checkpointWhenIdle()
    let row = try store.writer.withConnection { try $0.rows("PRAGMA wal_checkpoint(PASSIVE)")[0] }
    #expect(row[1] == row[2], "every frame of the log is in the file: \(row)")
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
    #expect((size?.intValue ?? 0) > 6 * 250 * 4000)
  }
}
