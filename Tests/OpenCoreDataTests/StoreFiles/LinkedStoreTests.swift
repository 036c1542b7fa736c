import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that are opened, copied, replaced and destroyed by a symbolic link: everything lies beside the file itself.
@Suite struct LinkedStoreTests {
  typealias Fixture = ExternalFixture

  /// How a link leads to the store.
  enum Way: String, CaseIterable { case link, relative, chain, folder, folderAndLink }

  /// A folder with links, and one with the store itself.
  struct Place {
    let link: URL
    let file: URL
    /// The links on the way, the given one first.
    var links: [URL]

    init(_ way: Way) throws {
      let base = try TestModel.temporaryFile("x").deletingLastPathComponent().resolvingSymlinksInPath()
      let links = base.appendingPathComponent("links"), real = base.appendingPathComponent("real")
      for folder in [links, real] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      file = real.appendingPathComponent("Real.sqlite")
      let first = links.appendingPathComponent("Link.sqlite"), second = links.appendingPathComponent("Second.db")
      self.links = [first]
      switch way {
      case .link: #expect(symlink(file.path, first.path) == 0)
      case .relative: #expect(symlink("../real/Real.sqlite", first.path) == 0)
      case .chain:
        #expect(symlink("Second.db", first.path) == 0 && symlink(file.path, second.path) == 0)
        self.links.append(second)
      case .folder, .folderAndLink:
        let folder = base.appendingPathComponent("folder")
        #expect(symlink("real", folder.path) == 0)
        if way == .folder {
          link = folder.appendingPathComponent("Real.sqlite")
          self.links = []
          return
        }
        #expect(symlink("../folder/Real.sqlite", first.path) == 0)
      }
      link = first
    }

    var support: URL { ExternalStorage.supportFolder(forStoreAt: file) }

    /// The support folders beside links, where earlier versions put values.
    var strayed: [URL] { links.map(ExternalStorage.supportFolder) }

    func isThere(_ url: URL) -> Bool {
      var status = stat()
      return lstat(url.path, &status) == 0
    }

    /// Everything in the folder of the file.
    func contents() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).sorted()
    }
  }

  private func add(_ name: String, _ seed: UInt8, at url: URL) throws {
    let store = try Fixture(at: url)
    try store.inContext { context in
      _ = context.make("Picture", ["name": name, "data": Fixture.bytes(150_000, seed)])
      try context.save()
    }
    try store.coordinator.remove(store.coordinator.persistentStores[0])
  }

  private func values(at url: URL, _ options: [AnyHashable: Any]? = nil) throws -> [Data?] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    defer { try? coordinator.remove(store) }
    return try coordinator.inContext {
      try $0.all("Picture", sortedBy: "name").map { $0.value(forKey: "data") as? Data }
    }
  }

  private static let one = [Fixture.bytes(150_000, 1) as Data?]

  // MARK: Where things lie

  @Test(arguments: Way.allCases) func valuesLieBesideTheFile(way: Way) throws {
    let place = try Place(way)
    let store = try Fixture(at: place.link)
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.bytes(150_000, 1)])
      try context.save()
    }
    let persistent = try #require(store.coordinator.persistentStores.first)
    // The store has the URL that it was given, and is found by it.
    #expect(persistent.url == place.link && store.coordinator.persistentStore(for: place.link) === persistent)
    #expect(store.coordinator.url(for: persistent) == place.link)
    #expect(try place.contents() == [".Real_SUPPORT", "Real.sqlite", "Real.sqlite-shm", "Real.sqlite-wal"])
    #expect(place.strayed.allSatisfy { !place.isThere($0) })
    // By its own name and by the link at once.
    #expect(try values(at: place.file) == Self.one && values(at: place.link) == Self.one)
    try store.coordinator.remove(persistent)
    #expect(try values(at: place.file) == Self.one)
  }

  /// A link that leads to nothing yet, as one to a file that is made later.
  @Test(arguments: [Way.link, .relative, .chain, .folderAndLink]) func aDanglingLinkGetsItsTarget(way: Way) throws {
    let place = try Place(way)
    try add("a", 1, at: place.link)
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: place.link.path)) != nil)
    #expect(try place.contents() == [".Real_SUPPORT", "Real.sqlite"])
    #expect(try values(at: place.file) == Self.one)
  }

  @Test func aLinkToItselfIsAnError() throws {
    let link = try TestModel.temporaryFile("Link.sqlite")
    #expect(symlink(link.path, link.path) == 0)
    #expect(throws: NSError.self) { try Fixture(at: link) }
  }

  // MARK: Copying, replacing, destroying

  @Test(arguments: Way.allCases) func aCopyHasTheValues(way: Way) throws {
    let place = try Place(way)
    try add("a", 1, at: place.file)
    let copy = place.link.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: place.link, to: copy)
    #expect(try values(at: copy) == Self.one)
    let report = try ExternalFileReport(storeAt: place.link)
    #expect(report.referenceCount == 1 && report.missing.isEmpty)
    let inspected = try InspectedStore(place.link)
    #expect(inspected.externalFiles().count == 1)
  }

  @Test(arguments: Way.allCases, [false, true]) func destroyingLeavesNoValues(way: Way, isRemoved: Bool) throws {
    let place = try Place(way)
    try add("a", 1, at: place.file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    if isRemoved {
      try coordinator.removePersistentStore(at: place.link, ofType: NSSQLiteStoreType)
      #expect(try place.contents() == [] && place.links.prefix(1).allSatisfy { !place.isThere($0) })
    } else {
      try coordinator.destroyPersistentStore(at: place.link, ofType: NSSQLiteStoreType, options: nil)
      #expect(try place.contents() == ["Real.sqlite"] && place.isThere(place.link))
    }
  }

  /// Another name of the same store, in its own folder, is no second store that may name the values.
  @Test func aLinkBesideTheStoreIsNoNeighbour() throws {
    let place = try Place(.link)
    try add("a", 1, at: place.file)
    let other = place.file.deletingPathExtension().appendingPathExtension("db")
    #expect(symlink("Real.sqlite", other.path) == 0)
    #expect(try values(at: other) == Self.one)
    try NSPersistentStoreCoordinator(managedObjectModel: Fixture.model()).destroyPersistentStore(
      at: place.file, ofType: NSSQLiteStoreType, options: nil)
    #expect(try place.contents() == ["Real.db", "Real.sqlite"])
  }

  @Test(arguments: Way.allCases, [false, true]) func replacingReplacesTheTarget(way: Way, isThere: Bool) throws {
    let place = try Place(way)
    if isThere { try add("old", 9, at: place.file) }
    let source = try TestModel.temporaryFile("Source.sqlite")
    try add("a", 1, at: source)
    try NSPersistentStoreCoordinator(managedObjectModel: Fixture.model()).replacePersistentStore(
      at: place.link, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
    #expect(place.links.allSatisfy { (try? FileManager.default.destinationOfSymbolicLink(atPath: $0.path)) != nil })
    #expect(try place.contents() == [".Real_SUPPORT", "Real.sqlite"])
    #expect(place.strayed.allSatisfy { !place.isThere($0) })
    #expect(try values(at: place.file) == Self.one && values(at: place.link) == Self.one)
    #expect(try ExternalFileReport(storeAt: place.file).orphans.isEmpty)
    // The link as the source.
    let copy = try TestModel.temporaryFile("Copy.sqlite")
    try NSPersistentStoreCoordinator(managedObjectModel: Fixture.model()).replacePersistentStore(
      at: copy, withPersistentStoreFrom: place.link, ofType: NSSQLiteStoreType)
    #expect(try values(at: copy) == Self.one)
  }

  // MARK: The log

  /// What tells whether a store has changed looks at its log, which lies beside the file.
  @Test(arguments: Way.allCases) func theStampFollowsTheLog(way: Way) throws {
    let place = try Place(way)
    try add("a", 1, at: place.file)
    let store = try Fixture(at: place.link), other = try Fixture(at: place.file)
    let persistent = try #require(store.coordinator.persistentStores.first)
    let before = persistent.stateStamp()
    try other.inContext { context in
      _ = context.make("Album", ["name": "b"])
      try context.save()
    }
    #expect(persistent.stateStamp() != before)
  }

  @Test(arguments: Way.allCases) func readingLeavesNoTrace(way: Way) throws {
    let place = try Place(way)
    try add("a", 1, at: place.file)
    let before = try FolderContents(place.file.deletingLastPathComponent())
    #expect(try values(at: place.link, [NSReadOnlyPersistentStoreOption: true]) == Self.one)
    #expect(try FolderContents(place.file.deletingLastPathComponent()) == before)
  }

  /// A log that a killed process has left is read, and not changed, by an inspection.
  @Test(arguments: Way.allCases) func anInspectionSeesTheLog(way: Way) throws {
    let place = try Place(way)
    let store = try Fixture(at: place.file)
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.bytes(150_000, 1)])
      try context.save()
    }
    // As if it had been killed: database and log, without the index.
    let killed = try Place(way)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store.file.path + suffix, toPath: killed.file.path + suffix)
    }
    let before = try FolderContents(killed.file.deletingLastPathComponent())
    do {
      let inspected = try InspectedStore(killed.link)
      #expect(try inspected.facts().logSize > 0)
      #expect(try inspected.connection.integer("SELECT COUNT(*) FROM ZPICTURE") == 1)
      try inspected.requireUnchanged()
    }
    #expect(try FolderContents(killed.file.deletingLastPathComponent()) == before)
  }

  // MARK: What earlier versions have written beside a link

  /// A store whose values are where a version put them that did not follow the link; `index` tells which link it was given.
  private func strayed(_ way: Way, index: Int = 0) throws -> Place {
    let place = try Place(way)
    try add("a", 1, at: place.file)
    try FileManager.default.moveItem(at: place.support, to: place.strayed[index])
    return place
  }

  private static let linked: [Way] = [.link, .relative, .chain, .folderAndLink]

  @Test(arguments: linked) func valuesBesideTheLinkAreFoundAndMoved(way: Way) throws {
    for index in 0..<(try Place(way)).links.count {
      let place = try strayed(way, index: index)
      let before = try FolderContents(place.strayed[index])
      #expect(try values(at: place.link, [NSReadOnlyPersistentStoreOption: true]) == Self.one)
      #expect(try FolderContents(place.strayed[index]) == before)
      #expect(try ExternalFileReport(storeAt: place.link).missing.isEmpty)
      let copy = place.link.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
      try NSPersistentStoreCoordinator.backUpPersistentStore(at: place.link, to: copy)
      #expect(try values(at: copy) == Self.one)
      // The first opening for writing moves them.
      #expect(try values(at: place.link) == Self.one)
      #expect(place.strayed.allSatisfy { !place.isThere($0) } && place.isThere(place.support))
      #expect(try values(at: place.file) == Self.one)
      #expect(try ExternalFileReport(storeAt: place.file).orphans.isEmpty)
    }
  }

  @Test func aPredicateFindsThem() throws {
    let place = try strayed(.link)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: place.link,
      options: [NSReadOnlyPersistentStoreOption: true])
    try coordinator.inContext { (context) throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      request.predicate = NSPredicate(format: "data == %@", Fixture.bytes(150_000, 1) as NSData)
      #expect(try context.count(for: request) == 1)
    }
  }

  /// While another process writes, nothing is moved, and everything is found.
  @Test func nothingIsMovedWhileSomebodyWrites() throws {
    let place = try strayed(.link)
    let writer = try SQLiteConnection(
      path: place.file.path, readOnly: false, create: false, timeout: 5, pragmas: [])
    try writer.execute("BEGIN IMMEDIATE")
    #expect(try values(at: place.link) == Self.one)
    #expect(place.isThere(place.strayed[0]))
    try writer.execute("ROLLBACK")
    #expect(try values(at: place.link) == Self.one)
    #expect(!place.isThere(place.strayed[0]))
  }

  /// A store that lies beside the link, and whose values are in the same folder, keeps them.
  @Test func aStoreBesideTheLinkKeepsItsValues() throws {
    let place = try strayed(.link)
    let neighbour = place.link.deletingPathExtension().appendingPathExtension("old")
    try add("b", 2, at: neighbour)
    #expect(try values(at: place.link) == Self.one)
    #expect(try values(at: neighbour) == [Fixture.bytes(150_000, 2)] && values(at: place.file) == Self.one)
    try NSPersistentStoreCoordinator(managedObjectModel: Fixture.model()).removePersistentStore(
      at: place.link, ofType: NSSQLiteStoreType)
    #expect(try values(at: neighbour) == [Fixture.bytes(150_000, 2)])
  }

  @Test(arguments: linked) func destroyingRemovesThemToo(way: Way) throws {
    let place = try strayed(way)
    try NSPersistentStoreCoordinator(managedObjectModel: Fixture.model()).destroyPersistentStore(
      at: place.link, ofType: NSSQLiteStoreType, options: nil)
    #expect(try place.contents() == ["Real.sqlite"] && place.strayed.allSatisfy { !place.isThere($0) })
  }

  @Test(arguments: linked) func replacingRemovesThemToo(way: Way) throws {
    let place = try strayed(way)
    let source = try TestModel.temporaryFile("Source.sqlite")
    try add("b", 2, at: source)
    try NSPersistentStoreCoordinator(managedObjectModel: Fixture.model()).replacePersistentStore(
      at: place.link, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
    #expect(place.strayed.allSatisfy { !place.isThere($0) })
    #expect(try values(at: place.file) == [Fixture.bytes(150_000, 2)])
    #expect(try ExternalFileReport(storeAt: place.file).orphans.isEmpty)
  }

  /// A migration finds the values, whichever way it takes.
  @Test func aMigrationKeepsThem() throws {
    let place = try strayed(.link)
    let model = Fixture.model()
    for entity in model.entities where entity.name == "Album" {
      entity.properties.append(TestModel.attribute("note", .stringAttributeType))
    }
    // The value comes into the row.
    for entity in model.entities where entity.name == "Picture" {
      for attribute in entity.properties.compactMap({ $0 as? NSAttributeDescription }) where attribute.name == "data" {
        attribute.allowsExternalBinaryDataStorage = false
      }
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: place.link,
      options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
    try coordinator.inContext { (context) throws in
      #expect(try context.all("Picture").map { $0.value(forKey: "data") as? Data } == Self.one)
    }
    #expect(place.strayed.allSatisfy { !place.isThere($0) })
  }
}
