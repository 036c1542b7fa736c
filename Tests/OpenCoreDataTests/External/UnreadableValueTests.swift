import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values whose files are there and cannot be read: nothing takes them for nil, and they are back when the files are.
@Suite struct UnreadableValueTests {
  typealias Fixture = ExternalFixture

  /// What is in the place of a value's file.
  enum Obstacle: String, CaseIterable, Sendable {
    case folder, link, pipe, socket

    func put(_ place: URL) throws {
      switch self {
      case .folder: try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      case .link: #expect(symlink("/etc/passwd", place.path) == 0)
      case .pipe: #expect(mkfifo(place.path, 0o600) == 0)
      case .socket: #expect(mknod(place.path, S_IFSOCK | 0o600, 0) == 0)
      }
    }
  }

  /// A store with a picture whose file is out of the way.
  struct Blocked {
    let store: Fixture
    let place: URL
    private let aside: URL

    init(_ obstacle: Obstacle = .folder, _ name: String = "Store.sqlite") throws {
      store = try Fixture(name)
      try store.inContext { context in
        _ = context.make("Picture", ["name": "a", "data": Fixture.large, "plain": Data([1])])
        try context.save()
      }
      place = store.folder.appendingPathComponent(try #require(store.files().first))
      aside = store.file.deletingLastPathComponent().appendingPathComponent("aside")
      try FileManager.default.moveItem(at: place, to: aside)
      try obstacle.put(place)
    }

    /// The store, as somebody opens it who has not read it before.
    func open() throws -> Fixture { try Fixture(at: store.file) }

    func reference() throws -> [[String?]] { try store.sql("SELECT hex(ZDATA) FROM ZPICTURE") }

    func repair() throws {
      try FileManager.default.removeItem(at: place)
      try FileManager.default.moveItem(at: aside, to: place)
    }
  }

  private func error(_ body: () throws -> Void) -> NSError? {
    do { try body() } catch { return error as NSError }
    return nil
  }

  /// The POSIX code under an error, however deep.
  private func system(_ error: NSError?) -> Int? {
    var error = error
    while let one = error {
      if one.domain == NSPOSIXErrorDomain { return one.code }
      error = one.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return nil
  }

  // MARK: Reading and saving

  @Test(arguments: Obstacle.allCases) func itIsNilForTheMomentAndItsReferenceStays(obstacle: Obstacle) throws {
    let blocked = try Blocked(obstacle)
    let before = try blocked.reference()
    let opened = try blocked.open()
    try opened.inContext { context in
      let picture = try #require(try context.all("Picture").first)
      #expect(picture.value(forKey: "data") == nil && picture.value(forKey: "plain") as? Data == Data([1]))
      picture.setValue("b", forKey: "name")
      try context.save()
      #expect(picture.value(forKey: "data") == nil)
      #expect(try blocked.reference() == before)
      try blocked.repair()
      // The object itself, and who has the row from the cache.
      #expect(picture.value(forKey: "data") as? Data == Fixture.large)
      let other = try opened.inContext { try $0.all("Picture").first?.value(forKey: "data") as? Data }
      #expect(other == Fixture.large)
    }
    #expect(try blocked.reference() == before)
  }

  @Test func whoeverSetsItSetsIt() throws {
    let blocked = try Blocked()
    let before = try blocked.reference()
    try blocked.open().inContext { context in
      let picture = try #require(try context.all("Picture").first)
      #expect(picture.value(forKey: "data") == nil)
      // What reads as nil is not changed by that.
      picture.setValue(nil, forKey: "data")
      try context.save()
      #expect(try blocked.reference() == before)
      picture.setValue(Data([3]), forKey: "data")
      try context.save()
      #expect(try blocked.reference() == [["0103"]])
      picture.setValue(nil, forKey: "data")
      try context.save()
      #expect(try blocked.store.sql("SELECT ZDATA FROM ZPICTURE") == [[nil]])
    }
  }

  @Test func aMandatoryOneIsValid() throws {
    let model = Fixture.model()
    model.entitiesByName["Picture"]?.attributesByName["data"]?.isOptional = false
    let blocked = try Blocked()
    try blocked.store.coordinator.remove(blocked.store.coordinator.persistentStores[0])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: blocked.store.file,
      options: [NSIgnorePersistentStoreVersioningOption: true])
    let before = try blocked.reference()
    try coordinator.inContext { (context) throws in
      try #require(try context.all("Picture").first).setValue("b", forKey: "name")
      try context.save()
    }
    #expect(try blocked.reference() == before)
  }

  @Test func aChildContextLosesNothing() throws {
    let blocked = try Blocked()
    let before = try blocked.reference()
    try blocked.open().inContext { parent in
      let above = try #require(try parent.all("Picture").first)
      above.setValue(Data([2]), forKey: "plain")
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      try child.performAndWait {
        let picture = try #require(try child.all("Picture").first)
        #expect(picture.value(forKey: "data") == nil && picture.value(forKey: "plain") as? Data == Data([2]))
        picture.setValue("b", forKey: "name")
        try child.save()
        try blocked.repair()
        #expect(picture.value(forKey: "data") as? Data == Fixture.large)
      }
      try parent.save()
      #expect(try blocked.reference() == before && above.value(forKey: "data") as? Data == Fixture.large)
    }
  }

  @Test(arguments: [
    NSMergePolicyType.overwriteMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
    .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType,
  ]) func aMergePolicyOverwritesNothingWithIt(type: NSMergePolicyType) throws {
    let blocked = try Blocked()
    let opened = try blocked.open()
    try opened.inContext { context in
      context.mergePolicy = NSMergePolicy(merge: type)
      let picture = try #require(try context.all("Picture").first)
      #expect(picture.value(forKey: "data") == nil)
      try blocked.store.inContext { other in
        try other.named("a", "Picture").setValue(Fixture.bytes(150_000, 9), forKey: "data")
        try other.save()
      }
      picture.setValue("b", forKey: "name")
      try context.save()
      #expect(try blocked.store.sql("SELECT length(ZDATA) FROM ZPICTURE") == [["38"]])
      let data = try opened.inContext { try $0.all("Picture").first?.value(forKey: "data") as? Data }
      #expect(data == Fixture.bytes(150_000, 9))
    }
  }

  @Test(arguments: Obstacle.allCases) func requestsThatReadItFail(obstacle: Obstacle) throws {
    let blocked = try Blocked(obstacle)
    try blocked.open().inContext { context in
      let request = NSFetchRequest<NSDictionary>(entityName: "Picture")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["name", "data"]
      let reading = error { _ = try context.fetch(request) }
      #expect(reading?.code == CocoaError.Code.fileReadUnknown.rawValue && system(reading) != nil)
      #expect(reading?.userInfo[NSFilePathErrorKey] as? String == blocked.place.path)
      let search = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      search.predicate = NSPredicate(format: "data == %@", Fixture.large as NSData)
      let searching = error { _ = try context.count(for: search) }
      #expect(searching?.code == CocoaError.Code.fileReadUnknown.rawValue)
      #expect(searching?.localizedDescription.contains(blocked.place.path) == true)
      try blocked.repair()
      #expect(try context.count(for: search) == 1 && context.fetch(request).count == 1)
    }
  }

  @Test func withoutPermission() throws {
    let store = try Blocked()
    try store.repair()
    #expect(chmod(store.place.path, 0) == 0)
    chmod(store.store.file.deletingLastPathComponent().path, 0o777)
    defer { chmod(store.place.path, 0o644) }
    let opened = try store.open()
    try opened.inContext { context in
      // Now there is a reader.
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Album")) == 0)
      let data = try Nobody.run { try context.all("Picture").first?.value(forKey: "data") as? Data }
      #expect(data == nil)
      let request = NSFetchRequest<NSDictionary>(entityName: "Picture")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["data"]
      let found = error { _ = try Nobody.run { try context.fetch(request) } }
      #expect(found?.code == CocoaError.Code.fileReadNoPermission.rawValue && system(found) == Int(EACCES))
      chmod(store.place.path, 0o644)
      #expect(try context.all("Picture").first?.value(forKey: "data") as? Data == Fixture.large)
    }
  }

  @Test func withoutDescriptors() async throws {
    await #expect(processExitsWith: .success) {
      let store = try Fixture()
      try store.inContext { context in
        _ = context.make("Picture", ["name": "a", "data": Fixture.large])
        try context.save()
      }
      let opened = try Fixture(at: store.file)
      try opened.inContext { context in
        let fault = try #require(try context.all("Picture").first)
        context.refresh(fault, mergeChanges: false)
        opened.coordinator.emptyRowCache()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(7), &limit)
        let usual = limit
        limit.rlim_cur = 3
        setrlimit(__rlimit_resource_t(7), &limit)
        let missing = fault.value(forKey: "data") as? Data
        var restored = usual
        setrlimit(__rlimit_resource_t(7), &restored)
        guard missing == nil, fault.value(forKey: "data") as? Data == Fixture.large else { exit(1) }
      }
    }
  }

  // MARK: Copies and migrations

  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType, NSSQLiteStoreType, NSInMemoryStoreType])
  func noStoreIsMadeWithoutIt(type: String) throws {
    let blocked = try Blocked()
    let before = try blocked.reference()
    let opened = try blocked.open()
    let target = try TestModel.temporaryFile("Target")
    let migrate = {
      _ = try opened.coordinator.migratePersistentStore(
        opened.coordinator.persistentStores[0], to: target, withType: type)
    }
    let found = error { try migrate() }
    #expect(found?.code == CocoaError.Code.fileReadUnknown.rawValue && system(found) == Int(EINVAL))
    #expect(found?.userInfo[NSFilePathErrorKey] as? String == blocked.place.path)
    #expect(try FileStore.files(beside: target) == [])
    #expect(try blocked.reference() == before)
    try blocked.repair()
    try migrate()
    let data = try opened.inContext { try $0.all("Picture").first?.value(forKey: "data") as? Data }
    #expect(data == Fixture.large)
  }

  @Test func noCopyIsMadeWithoutIt() throws {
    let blocked = try Blocked()
    let target = try FileStore.make(["old"], at: TestModel.temporaryFile("Target.sqlite"))
    let copy = target.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
    let backup = error { try NSPersistentStoreCoordinator.backUpPersistentStore(at: blocked.store.file, to: copy) }
    #expect(backup?.code == CocoaError.Code.fileReadUnknown.rawValue && system(backup) == Int(EINVAL))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    let replacing = error {
      try coordinator.replacePersistentStore(
        at: target, withPersistentStoreFrom: blocked.store.file, ofType: NSSQLiteStoreType)
    }
    #expect(replacing?.userInfo[NSFilePathErrorKey] as? String == blocked.place.path)
    #expect(try FileStore.files(beside: target) == ["Target.sqlite"])
    #expect(try FileStore.names(at: target) == ["old"])
  }

  private static let mappedModel = """
    <entity name='A'><attribute name='n' attributeType='Integer 16' optional='YES'/>
      <attribute name='data' attributeType='Binary' optional='YES' allowsExternalBinaryDataStorage='YES'/></entity>
    """

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary])
  func noMappingModelWritesNil(type: NSPersistentStore.StoreType) throws {
    let stores = try MigrationStores(
      MigrationFixture.model(Self.mappedModel),
      MigrationFixture.model(
        Self.mappedModel.replacingOccurrences(of: "name='data'", with: "name='bytes' elementID='data'")))
    try stores.fill { _ = $0.make("A", ["n": 1, "data": Fixture.large]) }
    let folder = URL(fileURLWithPath: ExternalStorage(storePath: stores.source.path).folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let place = folder.appendingPathComponent(try #require(names.first))
    let aside = stores.folder.appendingPathComponent("Old aside")
    try FileManager.default.moveItem(at: place, to: aside)
    try Obstacle.link.put(place)
    let found = error { try stores.migrate(stores.inferred(), to: type) }
    #expect(found?.code == NSMigrationMissingSourceModelError || system(found) == Int(ELOOP), "\(found as Any)")
    #expect("\(found as Any)".contains(place.path))
    #expect(try stores.newFiles() == [])
    try FileManager.default.removeItem(at: place)
    try FileManager.default.moveItem(at: aside, to: place)
    try stores.migrate(stores.inferred(), to: type)
    try stores.result(type.rawValue) { context in
      try #expect(context.all("A").first?.value(forKey: "bytes") as? Data == Fixture.large)
    }
  }

  /// The value is not known then; it is not nil.
  @Test func aValueThatAnotherProgramReplacesMeanwhileIsUnknown() throws {
    let blocked = try Blocked(.folder)
    let opened = try blocked.open()
    let context = TestModel.context(opened.coordinator)
    let (picture, slot) = try context.performAndWait {
      let picture = try #require(try context.all("Picture").first)
      #expect(picture.value(forKey: "data") == nil)
      let slot = try #require(picture.layout.slot(named: "data"))
      #expect(picture.readingError(slot) != nil)
      return (picture, slot)
    }
    // As another program does it.
    let new = ExternalReference(), data = Fixture.bytes(150_000, 3)
    try data.write(to: blocked.store.folder.appendingPathComponent(new.name))
    let connection = try SQLiteConnection(
      path: blocked.store.file.path, readOnly: false, create: false, timeout: 5, pragmas: [])
    try connection.execute(
      "UPDATE ZPICTURE SET ZDATA = CAST(x'02' || '\(new.name)' || x'00' AS BLOB), Z_OPT = Z_OPT + 1")
    try FileManager.default.removeItem(at: blocked.place)
    try context.performAndWait {
      let found = picture.readingError(slot) as NSError?
      #expect(found?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
      #expect(found?.localizedDescription.contains("Fetch the object again.") == true)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      request.shouldRefreshRefetchedObjects = true
      let refetched = try context.fetch(request)
      #expect(refetched == [picture])
      #expect(picture.value(forKey: "data") as? Data == data && picture.readingError(slot) == nil)
    }
  }

  @Test func aLightweightMigrationKeepsTheReferenceOrFails() throws {
    func migrate(_ change: (NSAttributeDescription) -> Void) throws -> (NSError?, [[String?]]) {
      let blocked = try Blocked(.link)
      try blocked.store.coordinator.remove(blocked.store.coordinator.persistentStores[0])
      let before = try blocked.reference()
      let model = Fixture.model()
      change(try #require(model.entitiesByName["Picture"]?.attributesByName["data"]))
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let found = error {
        try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: blocked.store.file,
          options: [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
          ])
      }
      #expect(try blocked.reference() == before)
      return (found, before)
    }
    #expect(try migrate { $0.versionHashModifier = "new" }.0 == nil)
    let found = try migrate { $0.allowsExternalBinaryDataStorage = false }.0
    #expect("\(found as Any)".contains("it is a link"), "\(found as Any)")
  }
}
