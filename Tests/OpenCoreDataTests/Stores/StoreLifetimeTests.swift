import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What is left of stores that are gone, and what their features cost where nothing uses them.
@Suite struct StoreLifetimeTests {
  @Test(arguments: ["Plain", "External", "History", "Ordered", "Memory"]) func nothingHoldsARemovedStore(kind: String)
    throws
  {
    weak var store: NSPersistentStore?
    weak var coordinator: NSPersistentStoreCoordinator?
    weak var watcher: RemoteChangeWatcher?
    do {
      let url = try TestModel.temporaryFile()
      let model =
        switch kind {
        case "External": ExternalFixture.model()
        case "History": HistoryModel.make()
        case "Ordered": Music.model()
        default: TestModel.library()
        }
      let made = NSPersistentStoreCoordinator(managedObjectModel: model)
      let options: [AnyHashable: Any]? =
        kind == "History"
        ? [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true] : nil
      let type = kind == "Memory" ? NSInMemoryStoreType : NSSQLiteStoreType
      let added = try made.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
      watcher = RemoteChanges.watcher(of: added)
      #expect((watcher != nil) == (kind == "History"))
      try made.inContext { (context) throws in
        let name = ["Plain": "Author", "Memory": "Author", "External": "Picture", "History": "Owner"][kind] ?? "Album"
        let object = context.make(name, ["name": "a"])
        if kind == "External" { object.setValue(ExternalFixture.large, forKey: "data") }
        try context.save()
        object.setValue("b", forKey: "name")
        try context.save()
        #expect(try context.all(name).count == 1)
      }
      try made.remove(added)
      (store, coordinator) = (added, made)
    }
    // The pool's timer and the watcher's queue may be at work just now.
    #expect(Soak.wait { store == nil && coordinator == nil && watcher == nil })
  }

  /// An entity pays for no feature that it does not use, even if others of its store do.
  @Test func aPlainSaveRunsOneStatementForEachRow() throws {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: TestModel.temporaryFile())
    try coordinator.inContext { (context) throws in
      _ = context.make("Tag", ["name": "warm"])
      try context.save()
      func statements(_ body: () throws -> Void) throws -> [String] {
        try StatementLog.collect(thisThread: true, body).statements.filter {
          !$0.hasPrefix("PRAGMA") && !$0.hasPrefix("BEGIN") && $0 != "COMMIT"
        }.map { $0.split(separator: " ").prefix(3).joined(separator: " ").split(separator: "(")[0].description }
      }
      let authors = (0..<3).map { context.make("Author", ["name": "\($0)"]) }
      let inserts = try statements { try context.save() }
      #expect(
        inserts == ["SELECT Z_MAX FROM", "UPDATE Z_PRIMARYKEY SET"] + Array(repeating: "INSERT INTO ZAUTHOR", count: 3))
      for author in authors { author.setValue(3, forKey: "age") }
      let updates = try statements { try context.save() }
      #expect(updates == Array(repeating: "UPDATE ZAUTHOR SET", count: 3))
      for author in authors { context.delete(author) }
      let deletes = try statements { try context.save() }
      #expect(deletes.filter { !$0.hasPrefix("SELECT") } == Array(repeating: "DELETE FROM ZAUTHOR", count: 3))
    }
  }

  @Test func identifiersOfAStoreThatChangedItsOwnStayEqual() throws {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: TestModel.temporaryFile())
    let store = coordinator.persistentStores[0]
    try coordinator.inContext { (context) throws in
      let author = context.make("Author", ["name": "a"])
      try context.save()
      let before = author.objectID
      store.identifier = "AN-OTHER"
      let after = author.objectID
      #expect(before == after && Set([before, after]).count == 1)
      #expect(before.uriRepresentation() == after.uriRepresentation())
      #expect(try context.existingObject(with: before) === author)
      #expect(coordinator.managedObjectID(forURIRepresentation: before.uriRepresentation()) == before)
    }
  }

  /// Metadata that a failed save had to write, and that another store's then took the place of.
  @Test func metadataOfAFailedSaveDoNotComeBack() throws {
    let url = try TestModel.temporaryFile(), other = try TestModel.temporaryFile()
    let elsewhere = try TestModel.coordinator(TestModel.library(), url: other)
    elsewhere.persistentStores[0].metadata["mine"] = "of the other"
    try TestModel.context(elsewhere).save()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let store = try #require(coordinator.sqlStores.first)
    store.metadata["mine"] = "never saved"
    #expect(throws: (any Error).self) {
      try store.writer.transaction { connection in
        try store.writePendingMetadata(connection)
        throw CocoaError(.fileWriteUnknown)
      } publish: {
      }
    }
    try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: other, ofType: NSSQLiteStoreType)
    try coordinator.inContext { (context) throws in
      _ = context.make("Author", ["name": "a"])
      try context.save()
    }
    #expect(store.metadata["mine"] as? String == "of the other")
  }
}
