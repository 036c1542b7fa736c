import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Things that are no regular files in the places of a store's own files, and of models: whatever is done gives an error that
/// names the place, and nothing waits.
@Suite struct HostileCompanionTests {
  enum Thing: String, CaseIterable, Sendable {
    case pipe, socket, device, folder, link

    /// - Returns: false where this process cannot make it: devices are for the superuser.
    func put(_ place: URL) throws -> Bool {
      switch self {
      case .pipe: #expect(mkfifo(place.path, 0o600) == 0)
      case .socket: #expect(mknod(place.path, S_IFSOCK | 0o600, 0) == 0)
      case .device: return mknod(place.path, S_IFCHR | 0o600, dev_t(0x105)) == 0
      case .folder: try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      case .link: #expect(symlink("/etc/passwd", place.path) == 0)
      }
      return true
    }
  }

  enum Suffix: String, CaseIterable, Sendable { case log = "-wal", index = "-shm", journal = "-journal" }

  enum Operation: CaseIterable, Sendable {
    case open, openForReading, metadata, setMetadata, model, inspect, backup, quietCopy, destroy, replace, replaceFrom
    case migrate, clean

    func perform(_ store: URL) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
      func add(_ options: [AnyHashable: Any] = [:]) throws {
        try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: options)
      }
      let other = try TestModel.temporaryFile("Other.sqlite")
      switch self {
      case .open: try add()
      case .openForReading: try add([NSReadOnlyPersistentStoreOption: NSNumber(true)])
      case .metadata:
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: store)
      case .setMetadata:
        try NSPersistentStoreCoordinator.setMetadata(["a": 1], forPersistentStoreOfType: NSSQLiteStoreType, at: store)
      case .model: _ = try StoredModel(contentsOf: store)
      case .inspect: _ = try InspectedStore(store)
      case .backup: try NSPersistentStoreCoordinator.backUpPersistentStore(at: store, to: other)
      case .quietCopy:
        try NSPersistentStoreCoordinator.copyPersistentStore(
          at: store, to: other, options: nil, progress: nil, isQuiet: true)
      case .destroy: try coordinator.destroyPersistentStore(at: store, ofType: NSSQLiteStoreType)
      case .replace:
        let new = try FileStore.make(["Bob"])
        try coordinator.replacePersistentStore(at: store, withPersistentStoreFrom: new, ofType: NSSQLiteStoreType)
      case .replaceFrom:
        try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: store, ofType: NSSQLiteStoreType)
      case .migrate:
        try InPlaceMigration(storeAt: store, from: TestModel.library(), to: TestModel.library()).run()
      case .clean: _ = try ExternalFileCleaning.remove(storeAt: store, olderThan: 0)
      }
    }
  }

  private func error(_ body: () throws -> Void) -> NSError? {
    do { try body() } catch { return error as NSError }
    return nil
  }

  @Test(.timeLimit(.minutes(60)), arguments: Thing.allCases, Suffix.allCases)
  func besideAStore(_ thing: Thing, _ suffix: Suffix) throws {
    for mode in ["WAL", "DELETE"] {
      let store = try FileStore.make(["Ann"], options: [NSSQLitePragmasOption: ["journal_mode": mode]])
      let place = URL(fileURLWithPath: store.path + suffix.rawValue)
      guard try thing.put(place) else { return }
      for operation in Operation.allCases {
        let found = error { try operation.perform(store) }
        #expect(found?.domain == NSCocoaErrorDomain, "\(mode), \(operation): \(found.map { "\($0)" } ?? "no error")")
        #expect(
          found?.localizedDescription.contains(place.path) == true,
          "\(mode), \(operation): \(found.map { "\($0)" } ?? "")")
      }
      var status = stat()
      #expect(lstat(place.path, &status) == 0)
      // The store is what it was.
      try FileManager.default.removeItem(at: place)
      #expect(try FileStore.names(at: store) == ["Ann"])
    }
  }

  /// Nor is a new store made beside one.
  @Test(.timeLimit(.minutes(60)), arguments: Thing.allCases, Suffix.allCases)
  func whereNoStoreIsYet(_ thing: Thing, _ suffix: Suffix) throws {
    let store = try TestModel.temporaryFile()
    guard try thing.put(URL(fileURLWithPath: store.path + suffix.rawValue)) else { return }
    #expect(error { try Operation.open.perform(store) }?.localizedDescription.contains(suffix.rawValue) == true)
  }

  /// By force a store is destroyed with whatever lies beside it; what a link leads to stays.
  @Test(.timeLimit(.minutes(60)), arguments: [Thing.pipe, .socket, .device, .link], Suffix.allCases)
  func destructionByForce(_ thing: Thing, _ suffix: Suffix) throws {
    let store = try FileStore.make(["Ann"])
    guard try thing.put(URL(fileURLWithPath: store.path + suffix.rawValue)) else { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.removePersistentStore(
      at: store, ofType: NSSQLiteStoreType, options: [NSPersistentStoreForceDestroyOption: NSNumber(true)])
    #expect(try FileStore.files(beside: store) == [])
    #expect(access("/etc/passwd", F_OK) == 0)
  }

  @Test(.timeLimit(.minutes(60)), arguments: [Thing.pipe, .socket, .device, .folder])
  func inAStoresOwnPlace(_ thing: Thing) throws {
    for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
      let store = try TestModel.temporaryFile(), other = try TestModel.temporaryFile("Other")
      guard try thing.put(store) else { return }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
      let works: [(String, () throws -> Void)] = [
        ("open", { try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: store) }),
        ("metadata", { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: store) }),
        (
          "set metadata",
          { try NSPersistentStoreCoordinator.setMetadata(["a": 1], forPersistentStoreOfType: type, at: store) }
        ),
        ("destroy", { try coordinator.destroyPersistentStore(at: store, ofType: type) }),
        (
          "replace",
          { try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: store, ofType: type) }
        ),
        ("copy", { try RegularFile.copy(store, to: other) }),
        ("model", { _ = try StoredModel(contentsOf: store) }),
        ("inspect", { _ = try InspectedStore(store) }),
      ]
      for (name, work) in works {
        let found = error(work)
        #expect(found?.domain == NSCocoaErrorDomain, "\(type), \(name): \(found.map { "\($0)" } ?? "no error")")
      }
    }
  }

  /// The folder of values, too, with and without values in it.
  @Test(.timeLimit(.minutes(60)), arguments: Thing.allCases, [".Store_SUPPORT", ".Store_SUPPORT/_EXTERNAL_DATA"])
  func inThePlaceOfTheSupportFolder(_ thing: Thing, _ name: String) throws {
    let store = try ExternalFixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": ExternalFixture.large])
      try context.save()
    }
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    let place = store.file.deletingLastPathComponent().appendingPathComponent(name)
    try FileManager.default.removeItem(at: place)
    guard try thing.put(place) else { return }
    let opened = try ExternalFixture(at: store.file)
    try opened.inContext { context in
      let picture = try #require(try context.all("Picture").first)
      #expect(picture.value(forKey: "data") == nil && picture.text("name") == "a")
      if thing != .folder {
        picture.setValue(ExternalFixture.bytes(150_000, 2), forKey: "data")
        #expect(throws: NSError.self) { try context.save() }
      }
    }
    #expect(!StoreVerification(try InspectedStore(store.file)).problems().isEmpty)
    let copy = try TestModel.temporaryFile("Copy.sqlite")
    _ = error { try NSPersistentStoreCoordinator.backUpPersistentStore(at: store.file, to: copy) }
    try opened.coordinator.destroyPersistentStore(at: store.file, ofType: NSSQLiteStoreType)
    #expect(access("/etc/passwd", F_OK) == 0)
  }

  @Test(.timeLimit(.minutes(60)), arguments: [Thing.pipe, .socket, .device, .folder])
  func inThePlaceOfARecording(_ thing: Thing) throws {
    let place = try TestModel.temporaryFile("work.ocd")
    guard try thing.put(place) else { return }
    #expect(throws: NSError.self) { try Recording(contentsOf: place) }
    #expect(throws: NSError.self) { try GrowingRecording(place) }
    #expect(!GrowingRecording.begins(place))
  }

  @Test(.timeLimit(.minutes(60)), arguments: [Thing.pipe, .socket, .device])
  func inThePlaceOfAModel(_ thing: Thing) throws {
    let folder = try TestModel.temporaryFile("Models").appendingPathComponent("M")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (path, model) in [
      ("A.mom", "A.mom"), ("B.momd/B.mom", "B.momd"), ("C.xcdatamodel/contents", "C.xcdatamodel"),
      ("D.xcdatamodel/elements", "D.xcdatamodel"), ("E.xcdatamodeld/E.xcdatamodel/contents", "E.xcdatamodeld"),
      ("F.momd/VersionInfo.plist", "F.momd"), ("G.xcdatamodeld/.xccurrentversion", "G.xcdatamodeld"),
    ] {
      let file = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      guard try thing.put(file) else { return }
      #expect(throws: NSError.self, "\(path)") {
        try NSManagedObjectModel(validatingContentsOf: folder.appendingPathComponent(model))
      }
    }
    let mapping = folder.appendingPathComponent("A.cdm")
    _ = try thing.put(mapping)
    #expect(NSMappingModel(contentsOf: mapping) == nil)
  }
}
