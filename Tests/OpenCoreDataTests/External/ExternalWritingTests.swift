import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Where values of attributes that allow files of their own are kept, and what becomes of the files.
@Suite struct ExternalWritingTests {
  typealias Fixture = ExternalFixture

  @Test func largeValuesGoToFilesAndSmallOnesIntoTheRow() throws {
    let store = try Fixture()
    let limit = ExternalReference.threshold
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.bytes(limit)])
      _ = context.make("Picture", ["name": "b", "data": Fixture.bytes(limit + 1, 2), "plain": Fixture.large])
      _ = context.make("Picture", ["name": "c", "data": Data()])
      _ = context.make("Picture", ["name": "d"])
      try context.save()
    }
    let rows = try store.sql(
      "SELECT length(ZDATA), hex(substr(ZDATA, 1, 1)), length(ZPLAIN) FROM ZPICTURE ORDER BY ZNAME")
    #expect(rows == [["\(limit + 1)", "01", nil], ["38", "02", "150000"], ["1", "01", nil], [nil, "", nil]])
    #expect(try store.files() == store.references())
    #expect(store.files().allSatisfy { $0 == $0.uppercased() && UUID(uuidString: $0) != nil })
    #expect(try store.onlyFile() == Fixture.bytes(limit + 1, 2))
    try Fixture(at: store.file).inContext { context in
      let pictures = try context.all("Picture", sortedBy: "name").map { $0.value(forKey: "data") as? Data }
      #expect(pictures == [Fixture.bytes(limit), Fixture.bytes(limit + 1, 2), Data(), nil])
    }
  }

  @Test func aChangedValueChangesTheFile() throws {
    let store = try Fixture()
    try store.inContext { context in
      let photo = context.make("Photo", ["name": "a", "data": Fixture.large, "negative": Fixture.bytes(200_000)])
      try context.save()
      let first = store.files()
      #expect(first.count == 2)
      photo.setValue(Fixture.bytes(150_000, 3), forKey: "data")
      try context.save()
      let second = store.files()
      #expect(second.count == 2 && second.intersection(first).count == 1)
      #expect(try second == store.references())
      #expect(photo.value(forKey: "data") as? Data == Fixture.bytes(150_000, 3))
      photo.setValue(Data([1, 2]), forKey: "data")
      try context.save()
      #expect(try store.files().count == 1 && store.files() == store.references())
      #expect(try store.sql("SELECT hex(ZDATA) FROM ZPICTURE") == [["010102"]])
      photo.setValue(Fixture.large, forKey: "data")
      photo.setValue(nil, forKey: "negative")
      try context.save()
      #expect(try store.onlyFile() == Fixture.large && store.files() == store.references())
    }
  }

  @Test func otherChangesAndEqualValuesLeaveFileAndColumnAlone() throws {
    let store = try Fixture()
    try store.inContext { context in
      let picture = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      let before = try store.sql("SELECT hex(ZDATA) FROM ZPICTURE")
      let modified = try modification(store)
      picture.setValue("b", forKey: "name")
      try context.save()
      context.refresh(picture, mergeChanges: false)
      picture.setValue(Fixture.bytes(150_000), forKey: "data")
      let statements = try StatementLog.collect(thisThread: true) { try context.save() }.statements
      #expect(statements.contains { $0.hasPrefix("UPDATE") && !$0.contains("ZDATA") })
      #expect(try store.sql("SELECT hex(ZDATA) FROM ZPICTURE") == before && store.files().count == 1)
      #expect(try modification(store) == modified)
      #expect(picture.value(forKey: "data") as? Data == Fixture.large)
    }
  }

  private func modification(_ store: Fixture) throws -> [Date] {
    try store.files().map {
      try #require(
        try FileManager.default.attributesOfItem(atPath: store.folder.appendingPathComponent($0).path)[
          .modificationDate] as? Date)
    }
  }

  @Test func deletionsTakeTheFilesAlong() throws {
    let store = try Fixture()
    try store.inContext { context in
      let album = context.make("Album", ["name": "all"])
      for name in ["a", "b", "c"] {
        _ = context.make("Photo", ["name": name, "data": Fixture.large, "negative": Fixture.large, "album": album])
      }
      let alone = context.make("Picture", ["name": "d", "data": Fixture.large])
      try context.save()
      #expect(store.files().count == 7)
      context.delete(alone)
      try context.save()
      #expect(store.files().count == 6)
      context.delete(album)
      #expect(store.files().count == 6)
      try context.save()
      #expect(store.files().isEmpty)
    }
  }

  @Test func namesOfStores() throws {
    for name in ["My Store.v2.sqlite", "Größe 日本.db", "plain", "a'b\"c.sqlite"] {
      let store = try Fixture(name)
      try store.inContext { context in
        _ = context.make("Picture", ["name": "a", "data": Fixture.large])
        try context.save()
      }
      let support = store.file.deletingLastPathComponent()
        .appendingPathComponent(".\((name as NSString).deletingPathExtension)_SUPPORT/_EXTERNAL_DATA")
      #expect(try FileManager.default.contentsOfDirectory(atPath: support.path).count == 1)
      try Fixture(at: store.file).inContext { context throws in
        #expect(try context.all("Picture").first?.value(forKey: "data") as? Data == Fixture.large)
      }
    }
  }

  @Test func aPrivateStoreKeepsItsFilesInItsFolder() throws {
    let coordinator = try TestModel.coordinator(Fixture.model())
    let store = try #require(coordinator.persistentStores.first as? SQLiteStore)
    try coordinator.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      context.reset()
      #expect(try context.all("Picture").first?.value(forKey: "data") as? Data == Fixture.large)
    }
    let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: ExternalStorage(storePath: store.path).folder).count == 1)
    try coordinator.remove(store)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func aStoreForReadingReads() throws {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store.file,
      options: [NSReadOnlyPersistentStoreOption: true])
    try coordinator.inContext { context throws in
      #expect(try context.all("Picture").first?.value(forKey: "data") as? Data == Fixture.large)
    }
  }
}
