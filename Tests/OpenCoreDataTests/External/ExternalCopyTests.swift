import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The files of external values when stores are copied, put back and replaced while they are open.
@Suite struct ExternalCopyTests {
  private func add(_ name: String, _ seed: UInt8, to fixture: ExternalFixture) throws {
    try fixture.inContext { (context) throws in
      _ = context.make("Picture", ["name": name, "data": ExternalFixture.bytes(150_000, seed)])
      try context.save()
    }
  }

  private func data(_ coordinator: NSPersistentStoreCoordinator) throws -> [Data?] {
    try coordinator.inContext { try $0.all("Picture", sortedBy: "name").map { $0.value(forKey: "data") as? Data } }
  }

  /// Stores that differ in their extension alone have one folder.
  @Test(arguments: ["backup", "replacement", "migration"])
  func aCopyWithTheSameFolderHasFilesOfItsOwn(way: String) throws {
    let fixture = try ExternalFixture()
    try add("a", 1, to: fixture)
    try add("b", 2, to: fixture)
    let copy = fixture.file.deletingPathExtension().appendingPathExtension("old")
    let store = fixture.coordinator.persistentStores[0]
    var changed = fixture.coordinator
    switch way {
    case "backup": try fixture.coordinator.backUp(store, to: copy)
    case "replacement":
      let other = try TestModel.coordinator(ExternalFixture.model(), url: copy)
      try other.remove(other.persistentStores[0])
      try fixture.coordinator.replacePersistentStore(
        at: copy, withPersistentStoreFrom: fixture.file, ofType: NSSQLiteStoreType)
    default:
      _ = try fixture.coordinator.migratePersistentStore(store, to: copy, withType: NSSQLiteStoreType)
      changed = try TestModel.coordinator(ExternalFixture.model(), url: fixture.file)
    }
    try changed.inContext { (context) throws in
      for picture in try context.all("Picture") { context.delete(picture) }
      try context.save()
    }
    try changed.remove(changed.persistentStores[0])
    let values = try data(TestModel.coordinator(ExternalFixture.model(), url: copy))
    #expect(values == [ExternalFixture.bytes(150_000, 1), ExternalFixture.bytes(150_000, 2)])
    let left = fixture.files()
    #expect(left.count == 2, "\(left)")
  }

  /// As somebody copies a database by hand.
  @Test(arguments: [true, false]) func filesThatAnotherStoreNamesStay(isReplaced: Bool) throws {
    let fixture = try ExternalFixture()
    try add("a", 1, to: fixture)
    try fixture.coordinator.remove(fixture.coordinator.persistentStores[0])
    let copy = fixture.file.deletingPathExtension().appendingPathExtension("old")
    _ = try Shell.run(URL(fileURLWithPath: "/bin/cp"), [fixture.file.path, copy.path])
    if isReplaced {
      let other = try ExternalFixture("Other.sqlite")
      try add("b", 2, to: other)
      try fixture.coordinator.replacePersistentStore(
        at: copy, withPersistentStoreFrom: other.file, ofType: NSSQLiteStoreType)
    } else {
      try fixture.coordinator.destroyPersistentStore(at: copy, ofType: NSSQLiteStoreType)
    }
    let values = try data(TestModel.coordinator(ExternalFixture.model(), url: fixture.file))
    #expect(values == [ExternalFixture.bytes(150_000, 1)])
  }

  /// Looking for stores with the same folder must not touch the locks of one that is open.
  @Test func locksOfAnOpenStoreStay() throws {
    let fixture = try ExternalFixture()
    try add("a", 1, to: fixture)
    let copy = fixture.file.deletingPathExtension().appendingPathExtension("old")
    try fixture.coordinator.backUp(fixture.coordinator.persistentStores[0], to: copy)
    let reader = TestModel.context(fixture.coordinator)
    fixture.coordinator.sqlStores[0].readers.idleNanoseconds = .max
    try reader.performAndWait {
      #expect(try reader.all("Picture").count == 1)
      try add("b", 2, to: fixture)
      let checkpoint = "PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)"
      #expect(try Shell.sql(fixture.file, checkpoint).last?.first == "1")
      try fixture.coordinator.destroyPersistentStore(at: copy, ofType: NSSQLiteStoreType)
      #expect(try Shell.sql(fixture.file, checkpoint).last?.first == "1")
    }
  }

  /// A file that waits for the last reader who may need it is needed again when a copy with it is put back.
  @Test func aValueThatIsPutBackStays() throws {
    let fixture = try ExternalFixture()
    try add("a", 1, to: fixture)
    let copy = try TestModel.temporaryFile("Copy.sqlite")
    try fixture.coordinator.backUp(fixture.coordinator.persistentStores[0], to: copy)
    let reader = TestModel.context(fixture.coordinator)
    fixture.coordinator.sqlStores[0].readers.idleNanoseconds = .max
    try reader.performAndWait {
      _ = try reader.all("Album")
      try fixture.inContext { (context) throws in
        try context.all("Picture")[0].setValue(ExternalFixture.bytes(150_000, 9), forKey: "data")
        try context.save()
      }
      #expect(fixture.files().count == 2)
      try fixture.coordinator.replacePersistentStore(
        at: fixture.file, withPersistentStoreFrom: copy, ofType: NSSQLiteStoreType)
      reader.reset()
    }
    try add("b", 2, to: fixture)
    try fixture.coordinator.remove(fixture.coordinator.persistentStores[0])
    let values = try data(TestModel.coordinator(ExternalFixture.model(), url: fixture.file))
    #expect(values == [ExternalFixture.bytes(150_000, 1), ExternalFixture.bytes(150_000, 2)])
  }

  /// A transformable attribute may be kept in files, too.
  @Test func filesOfTransformableValuesGo() throws {
    let large = TestModel.attribute("value", .transformableAttributeType)
    large.allowsExternalBinaryDataStorage = true
    let plain = TestModel.attribute("data", .binaryDataAttributeType)
    plain.allowsExternalBinaryDataStorage = true
    for attributes in [[large, plain], [large]] {
      let model = NSManagedObjectModel()
      model.entities = [
        TestModel.entity("Thing", attributes.map { $0.copy() as! NSAttributeDescription })
      ]
      let file = try TestModel.temporaryFile()
      let coordinator = try TestModel.coordinator(model, url: file)
      let folder = ExternalStorage(storePath: file.path).folder
      func files() -> Int { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count }
      try coordinator.inContext { (context) throws in
        let thing = context.make("Thing", ["value": String(repeating: "x", count: 150_000) as NSString])
        try context.save()
        #expect(files() == 1)
        thing.setValue(String(repeating: "y", count: 150_000) as NSString, forKey: "value")
        try context.save()
        context.reset()
        let value = try context.all("Thing")[0].value(forKey: "value") as? String
        #expect(value?.first == "y")
      }
      try coordinator.inContext { (context) throws in
        context.delete(try context.all("Thing")[0])
        try context.save()
      }
      try coordinator.remove(coordinator.persistentStores[0])
      #expect(files() == 0)
    }
  }
}
