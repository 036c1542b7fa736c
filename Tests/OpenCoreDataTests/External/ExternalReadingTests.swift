import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// How values are read from files, and what becomes of those that are not there.
@Suite(.serialized) struct ExternalReadingTests {
  typealias Fixture = ExternalFixture

  private func blob(_ object: NSManagedObject) throws -> SnapshotBlob? {
    let slot = try #require(object.layout.slot(named: "data"))
    return object.snapshot?.blob(slot.index)
  }

  @Test func valuesAreMappedAndCostTheCacheNothing() throws {
    let store = try Fixture()
    try store.inContext { context in
      let picture = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      #expect(try #require(try blob(picture)).cost == 0)
      picture.setValue("b", forKey: "name")
      try context.save()
      #expect(try #require(try blob(picture)).cost == 0)
      #expect(try #require(picture.snapshot).byteCost < 1000)
    }
    try Fixture(at: store.file).inContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      request.returnsObjectsAsFaults = false
      let picture = try #require(try context.fetch(request).first)
      #expect(try #require(try blob(picture)).cost == 0)
      // Bytes that are in use outlive the file.
      let data = try #require(picture.value(forKey: "data") as? Data)
      context.delete(picture)
      try context.save()
      #expect(store.files().isEmpty && data == Fixture.large)
    }
  }

  @Test func thereIsABoundForMappings() throws {
    let file = try TestModel.temporaryFile("Value")
    try Fixture.large.write(to: file)
    let folder = try FolderHandle(file.deletingLastPathComponent().path)
    var held: [Data] = []
    var copies = 0
    for _ in 0..<MappedFile.limit + 10 {
      let (data, isMapped) = try MappedFile.read("Value", in: folder)
      held.append(data)
      if !isMapped { copies += 1 }
    }
    #expect(copies >= 10 && MappedFile.mapped <= MappedFile.limit && held.last == Fixture.large)
    held = []
    #expect(MappedFile.mapped < MappedFile.limit)
  }

  @Test func whatIsNoFileIsAnError() throws {
    let file = try TestModel.temporaryFile("Value")
    let folder = try FolderHandle(file.deletingLastPathComponent().path)
    #expect(throws: POSIXError(.ENOENT)) { try MappedFile.read("Value", in: folder) }
    #expect(throws: POSIXError(.EINVAL)) { try MappedFile.read(".", in: folder) }
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(throws: POSIXError(.EINVAL)) { try MappedFile.read("Value", in: folder) }
    try FileManager.default.removeItem(at: file)
    #expect(symlink("/etc/passwd", file.path) == 0)
    #expect(throws: POSIXError(.ELOOP)) { try MappedFile.read("Value", in: folder) }
    try FileManager.default.removeItem(at: file)
    try Data().write(to: file)
    #expect(try MappedFile.read("Value", in: folder).data.isEmpty)
  }

  @Test func aMissingFileIsNilAndItsColumnIsKept() throws {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Photo", ["name": "a", "data": Fixture.large, "negative": Data([1])])
      try context.save()
    }
    for name in store.files() { try FileManager.default.removeItem(at: store.folder.appendingPathComponent(name)) }
    let before = try store.sql("SELECT hex(ZDATA) FROM ZPICTURE")
    try Fixture(at: store.file).inContext { context in
      let photo = try #require(try context.all("Photo").first)
      #expect(photo.value(forKey: "data") == nil && photo.value(forKey: "negative") as? Data == Data([1]))
      photo.setValue("b", forKey: "name")
      photo.setValue(Data([2]), forKey: "negative")
      try context.save()
      #expect(try store.sql("SELECT hex(ZDATA) FROM ZPICTURE") == before)
      photo.setValue(Fixture.bytes(150_000, 2), forKey: "data")
      try context.save()
      #expect(try store.onlyFile() == Fixture.bytes(150_000, 2) && store.files() == store.references())
    }
  }

  @Test(arguments: [
    "x'02'", "x'0200'", "CAST(x'02' || '../../../../../../etc/passwd.' || '12345' || x'00' AS BLOB)", "zeroblob(38)",
    "CAST(x'02' || 'XF1B1C9E-0A53-4E0B-9B46-1F4C4A1B5D11' || x'00' AS BLOB)", "'text'", "7", "x''",
  ]) func damagedReferencesTrapNothing(value: String) throws {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Data([5])])
      try context.save()
    }
    _ = try store.sql("UPDATE ZPICTURE SET ZDATA = \(value)")
    let before = try store.sql("SELECT hex(ZDATA) FROM ZPICTURE")
    try Fixture(at: store.file).inContext { context in
      let picture = try #require(try context.all("Picture").first)
      _ = picture.value(forKey: "data")
      picture.setValue("b", forKey: "name")
      try context.save()
      #expect(try store.sql("SELECT hex(ZDATA) FROM ZPICTURE") == before)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      request.predicate = NSPredicate(format: "data == %@", Data([5]) as NSData)
      #expect(try context.count(for: request) == 0)
      context.delete(picture)
      try context.save()
    }
  }

  @Test func aReaderAtAnOlderCommitStillFindsTheFile() throws {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
    }
    let other = try Fixture(at: store.file)
    let sqlStore = try #require(other.coordinator.persistentStores.first as? SQLiteStore)
    sqlStore.readers.idleNanoseconds = .max
    try other.inContext { reader in
      // Now its transaction is open; the row itself has not been read.
      #expect(try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Album")) == 0)
      let fault = reader.object(with: try #require(try other.inContext { try $0.all("Picture").first?.objectID }))
      other.coordinator.emptyRowCache()
      try other.inContext { writer in
        try writer.named("a", "Picture").setValue(Fixture.bytes(150_000, 2), forKey: "data")
        try writer.save()
      }
      #expect(sqlStore.readers.oldestCommit() < sqlStore.latestCommit && store.files().count == 2)
      #expect(fault.value(forKey: "data") as? Data == Fixture.large)
    }
    #expect(try Soak.wait { try store.files() == store.references() })
  }
}
