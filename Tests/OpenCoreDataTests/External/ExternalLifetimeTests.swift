import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// How long the file of a value stays that rows name no more: until that is on the disk, and nobody reads an older state.
@Suite struct ExternalLifetimeTests {
  typealias Fixture = ExternalFixture

  /// The checkpoint of an idle store takes the writer's connection, for which it may have waited while a save was going on. The
  /// save then cannot remove files at its end: that is done after the checkpoint.
  @Test func filesAreRemovedAfterTheIdleCheckpoint() throws {
    let store = try store()
    let coordinator = try open(store, Fixture.model())
    let opened = try #require(coordinator.persistentStores.first as? SQLiteStore)
    let calls = Mutex<[String]>([]), idle = opened.readers.whenIdle, reaped = opened.readers.whenReaped
    opened.readers.whenIdle = {
      idle?()
      calls.withLock { $0.append("idle") }
    }
    opened.readers.whenReaped = {
      calls.withLock { $0.append("reaped") }
      reaped?()
    }
    let context = TestModel.context(coordinator)
    #expect(try context.all("Picture").count == 1)
    #expect(Soak.wait { calls.withLock { $0.contains("idle") && $0.last == "reaped" } })
  }

  /// What takes references out of rows.
  enum Way: String, CaseIterable { case replacing, deleting, batchDeletion, migration, leftover, otherStore, contents }

  /// The store's model without the attribute `data`.
  private static func smaller() -> NSManagedObjectModel {
    let model = Fixture.model()
    for entity in model.entities where entity.name == "Picture" {
      entity.properties.removeAll { $0.name == "data" }
    }
    return model
  }

  /// A closed store with one value in a file, all of which is in the database itself.
  private func store() throws -> Fixture {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
    }
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    _ = try store.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(store.files().count == 1)
    return store
  }

  private func open(_ store: Fixture, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any] = [:]) throws
    -> NSPersistentStoreCoordinator
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    var options = options
    options[NSMigratePersistentStoresAutomaticallyOption] = true
    options[NSInferMappingModelAutomaticallyOption] = true
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store.file, options: options)
    return coordinator
  }

  /// Another store, whose picture has a small value.
  private func other() throws -> Fixture {
    let other = try Fixture("Other.sqlite")
    try other.inContext { context in
      _ = context.make("Picture", ["name": "b", "data": Data([1])])
      try context.save()
    }
    try other.coordinator.remove(other.coordinator.persistentStores[0])
    return other
  }

  /// Takes the value out of the store. What is returned keeps the store open.
  private func take(_ way: Way, from store: Fixture) throws -> NSPersistentStoreCoordinator? {
    switch way {
    case .replacing, .deleting, .batchDeletion:
      let coordinator = try open(store, Fixture.model())
      try coordinator.inContext { context in
        let picture = try context.named("a", "Picture")
        if way == .batchDeletion {
          _ = try context.execute(NSBatchDeleteRequest(objectIDs: [picture.objectID]))
        } else if way == .deleting {
          context.delete(picture)
        } else {
          picture.setValue(Fixture.bytes(150_000, 2), forKey: "data")
        }
        try context.save()
      }
      return coordinator
    case .migration: return try open(store, Self.smaller())
    case .leftover:
      let coordinator = try open(
        store, Self.smaller(), [NSPersistentStoreDeferredLightweightMigrationOptionKey: true])
      try coordinator.finishDeferredLightweightMigration()
      return coordinator
    case .otherStore:
      try NSPersistentStoreCoordinator(managedObjectModel: Fixture.model()).replacePersistentStore(
        at: store.file, withPersistentStoreFrom: other().file, ofType: NSSQLiteStoreType)
      return nil
    case .contents:
      try StoreExchange(StoreFiles(store.file), options: StoreOptions(nil)).takeContents(of: other().file)
      return nil
    }
  }

  private func names(in file: URL, immutable: Bool = false) throws -> Set<String> {
    try ExternalFileReport.names(
      in: SQLiteConnection(
        path: file.path, readOnly: true, create: false, immutable: immutable, timeout: 5, pragmas: []))
  }

  /// A power cut takes what is not synced of the log, at worst all of it.
  @Test(arguments: Way.allCases) func afterAPowerCutEachRowHasItsFile(way: Way) throws {
    let store = try store()
    let open = try take(way, from: store)
    let cut = try TestModel.temporaryFile("Cut.sqlite")
    try FileManager.default.copyItem(at: store.file, to: cut)
    #expect(try names(in: cut, immutable: true).isSubset(of: store.files()))
    // All of it is on the disk, and the file that nobody needs is gone.
    #expect(try names(in: store.file) == store.files())
    withExtendedLifetime(open) {}
  }

  @Test(arguments: Way.allCases) func whoReadsAnOlderStateFindsItsFile(way: Way) throws {
    let store = try store()
    let reader = try SQLiteConnection(path: store.file.path, readOnly: true, create: false, timeout: 5, pragmas: [])
    try reader.execute("BEGIN")
    let seen = try ExternalFileReport.names(in: reader)
    #expect(seen.count == 1)
    let open = try take(way, from: store)
    #expect(seen.isSubset(of: store.files()))
    #expect(try seen.isDisjoint(with: names(in: store.file)))
    try reader.execute("COMMIT")
    withExtendedLifetime(open) {}
  }

  /// A checkpoint takes several times as long as a small commit: only some of a series of saves make one. A file that is left
  /// by the others goes with a later one, and all go at the end.
  @Test(arguments: [true, false]) func aSeriesOfSavesMakesFewCheckpoints(isReplaced: Bool) throws {
    let store = try Fixture(), count = 160
    try store.inContext { context in
      for number in 0..<count { _ = context.make("Picture", ["name": "\(number)", "data": Fixture.large]) }
      try context.save()
    }
    let statements = try StatementLog.collect(thisThread: true) {
      try store.inContext { context in
        for (number, picture) in try context.all("Picture", sortedBy: "name").enumerated() {
          picture.setValue(isReplaced ? Fixture.bytes(150_000, UInt8(number)) : nil, forKey: "data")
          try context.save()
          #expect(store.files().subtracting(try store.references()).count <= 32)
        }
      }
    }.statements
    let checkpoints = statements.count { $0.contains("wal_checkpoint") }
    #expect(checkpoints > 0 && checkpoints <= 32 + count / 16 + 1, "\(checkpoints)")
    // Nobody reads or saves any more, and the store stays open.
    #expect(try Soak.wait { try store.files() == store.references() })
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    #expect(try store.files() == store.references() && store.files().count == (isReplaced ? count : 0))
    #expect(try ExternalFileReport(storeAt: store.file).foreign.isEmpty)
  }
}
