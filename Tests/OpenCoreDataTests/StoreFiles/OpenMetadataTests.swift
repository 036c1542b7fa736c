import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Metadata of stores that are open: kept, and written by the next save.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct OpenMetadataTests {
  private func inFile(_ url: URL) throws -> [String: Any] {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
  }

  @Test func theNextSaveWritesThem() throws {
    let url = try FileStore.make(["A"])
    let coordinator = try FileStore.open(url)
    let store = coordinator.persistentStores[0]
    let old = coordinator.metadata(for: store)
    coordinator.setMetadata(["mine": [1, 2]], for: store)
    #expect(store.metadata["mine"] as? [Int] == [1, 2] && store.metadata.count == old.count + 1)
    #expect(try inFile(url)["mine"] == nil)
    try coordinator.inContext { try $0.save() }
    #expect(try inFile(url)["mine"] as? [Int] == [1, 2])
    store.metadata["mine"] = "changed"
    try FileStore.add(["B"], to: coordinator)
    #expect(try inFile(url)["mine"] as? String == "changed")
    coordinator.setMetadata(nil, for: store)
    try coordinator.inContext { try $0.save() }
    #expect(NSDictionary(dictionary: try inFile(url)) == NSDictionary(dictionary: old))
    #expect(NSDictionary(dictionary: store.metadata) == NSDictionary(dictionary: old))
  }

  @Test func aSaveWithoutThemWritesNone() throws {
    let url = try FileStore.make(["A"])
    let coordinator = try FileStore.open(url)
    try Shell.sql(url, "CREATE TRIGGER guard BEFORE INSERT ON Z_METADATA BEGIN SELECT RAISE(ABORT, 'written'); END")
    try FileStore.add(["B"], to: coordinator)
    try coordinator.inContext { try $0.save() }
    coordinator.persistentStores[0].metadata["a"] = 1
    #expect(FileStore.code { try coordinator.inContext { try $0.save() } } != nil)
    #expect(FileStore.code { try FileStore.add(["C"], to: coordinator) } != nil)
    try Shell.sql(url, "DROP TRIGGER guard")
    try FileStore.add(["D"], to: coordinator)
    #expect(try FileStore.names(coordinator) == ["A", "B", "D"])
    #expect(try inFile(url)["a"] as? Int == 1)
  }

  @Test func keysOfOthersStay() throws {
    let url = try FileStore.make(["A"])
    let first = try FileStore.open(url), second = try FileStore.open(url)
    first.persistentStores[0].metadata["first"] = 1
    second.persistentStores[0].metadata["second"] = 2
    try first.inContext { try $0.save() }
    try second.inContext { try $0.save() }
    #expect(try inFile(url)["first"] as? Int == 1)
    #expect(second.persistentStores[0].metadata["first"] as? Int == 1)
    first.persistentStores[0].metadata["first"] = nil
    try first.inContext { try $0.save() }
    #expect(try inFile(url)["first"] == nil && inFile(url)["second"] as? Int == 2)
  }

  @Test func theStoresOwnCannotBeDropped() throws {
    let url = try FileStore.make(["A"])
    let coordinator = try FileStore.open(url)
    let store = coordinator.persistentStores[0]
    let old = try inFile(url)
    coordinator.setMetadata(
      [NSStoreTypeKey: "Papyrus", NSStoreModelVersionHashesKey: ["Author": Data()], "a": 1], for: store)
    try coordinator.inContext { try $0.save() }
    #expect(NSDictionary(dictionary: try inFile(url)) == NSDictionary(dictionary: old.merging(["a": 1]) { $1 }))
  }

  @Test func theIdentifierIsWrittenToo() throws {
    let url = try FileStore.make(["A"])
    let coordinator = try FileStore.open(url)
    let store = coordinator.persistentStores[0]
    let id = UUID().uuidString
    store.identifier = id
    #expect(store.metadata[NSStoreUUIDKey] as? String == id)
    try coordinator.inContext { (context) throws in
      try context.save()
      let uri = try #require(try context.all("Author").first).objectID.uriRepresentation()
      #expect(uri.host == id && coordinator.managedObjectID(for: uri.absoluteString) != nil)
    }
    #expect(try Shell.sql(url, "SELECT Z_UUID FROM Z_METADATA") == [id])
    #expect(try FileStore.open(url).persistentStores[0].identifier == id)
  }

  @Test func valuesThatCannotBeWrittenFailTheSave() throws {
    let url = try FileStore.make(["A"])
    let coordinator = try FileStore.open(url)
    coordinator.persistentStores[0].metadata["bad"] = UUID()
    #expect(FileStore.code { try FileStore.add(["B"], to: coordinator) } == 3852)
    #expect(try FileStore.names(coordinator) == ["A"])
    coordinator.persistentStores[0].metadata["bad"] = "good"
    try FileStore.add(["B"], to: coordinator)
    #expect(try inFile(url)["bad"] as? String == "good")
    let reader = try FileStore.open(url, [NSReadOnlyPersistentStoreOption: true])
    reader.persistentStores[0].metadata["a"] = 1
    #expect(FileStore.code { try reader.inContext { try $0.save() } } == 513)
  }
}
