import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The stack as people set it up: model, container, coordinator, private stores.
@Suite struct StackTests {
  private var fixture: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/Library.xcdatamodeld")
  }

  private func container(_ url: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Library", managedObjectModel: TestModel.library())
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  @Test func modelsFromFilesAndFromCodeMakeStores() throws {
    let model = try #require(NSManagedObjectModel(contentsOf: fixture))
    let version = try #require(
      NSManagedObjectModel(contentsOf: fixture.appendingPathComponent("Library 1.xcdatamodel")))
    for model in [model, version, TestModel.library()] {
      let url = try TestModel.temporaryFile()
      let coordinator = try TestModel.coordinator(model, url: url)
      #expect(coordinator.managedObjectModel === model)
      let metadata = coordinator.metadata(for: try #require(coordinator.persistentStores.first))
      #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
      #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
      #expect(UUID(uuidString: metadata[NSStoreUUIDKey] as? String ?? "") != nil)
      let cache = try #require(Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: url.checkpointed(coordinator)))
      #expect(try ModelCache.decode(cache).entityVersionHashesByName == model.entityVersionHashesByName)
    }
  }

  @Test func aMissingFolderIsMade() throws {
    let folder = try TestModel.temporaryFile("none")
    let container = try container(folder.appendingPathComponent("one/two/Library.sqlite"))
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    // A store for reading only must be there already, and leaves nothing behind.
    let other = NSPersistentContainer(name: "Library", managedObjectModel: TestModel.library())
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("three/Library.sqlite"))
    description.isReadOnly = true
    other.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    other.loadPersistentStores { failure = $1 }
    #expect(failure != nil)
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("three").path))
  }

  @Test func containerHasItsParts() throws {
    let container = NSPersistentContainer(name: "Shelf", managedObjectModel: TestModel.library())
    #expect(container.name == "Shelf")
    #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
    #expect(container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
    #expect(container.newBackgroundContext() !== container.newBackgroundContext())
    #expect(container.newBackgroundContext().concurrencyType == .privateQueueConcurrencyType)
    let description = try #require(container.persistentStoreDescriptions.first)
    #expect(description.type == NSSQLiteStoreType && description.url?.lastPathComponent == "Shelf.sqlite")
  }

  private final class OwnFolder: NSPersistentContainer, @unchecked Sendable {
    static let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-own-\(UUID())/deep")
    override class func defaultDirectoryURL() -> URL { folder }
  }

  @Test func theDefaultFolderIsMade() throws {
    let folder = NSPersistentContainer.defaultDirectoryURL()
    var isFolder: ObjCBool = false
    #expect(FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) && isFolder.boolValue)
    let own = OwnFolder(name: "Own", managedObjectModel: TestModel.library())
    #expect(
      own.persistentStoreDescriptions.first?.url?.deletingLastPathComponent().path
        == OwnFolder.folder.path)
  }

  @Test func loadingReportsEachStoreOnce() throws {
    let container = NSPersistentContainer(name: "Library", managedObjectModel: TestModel.library())
    let good = NSPersistentStoreDescription(url: try TestModel.temporaryFile())
    // A missing folder is made, but not below a file.
    let bad = NSPersistentStoreDescription(url: try #require(good.url).appendingPathComponent("no/Store.sqlite"))
    container.persistentStoreDescriptions = [good, bad]
    var reports: [(URL?, Bool)] = []
    container.loadPersistentStores { reports.append(($0.url, $1 == nil)) }
    #expect(reports.map(\.0) == [good.url, bad.url] && reports.map(\.1) == [true, false])
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.url) == [good.url])
  }

  @Test func storesCanBeLoadedInTheBackground() async throws {
    let container = NSPersistentContainer(name: "Library", managedObjectModel: TestModel.library())
    let description = NSPersistentStoreDescription(url: try TestModel.temporaryFile())
    description.shouldAddStoreAsynchronously = true
    container.persistentStoreDescriptions = [description]
    let isLoaded = await withCheckedContinuation { continuation in
      container.loadPersistentStores { continuation.resume(returning: $1 == nil) }
    }
    #expect(isLoaded && container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test func privateStoresAreSeparateWorkWithManyReadersAndVanish() throws {
    let first = try container(URL(fileURLWithPath: "/dev/null"))
    let second = try container(URL(fileURLWithPath: "/dev/null"))
    let writer = first.newBackgroundContext()
    try writer.performAndWait {
      for number in 0..<20 { _ = writer.make("Author", ["name": "A\(number)"]) }
      try writer.save()
    }
    let contexts = (0..<12).map { _ in first.newBackgroundContext() }
    for context in contexts {
      #expect(
        try context.performAndWait { try context.all("Author").map { $0.value(forKey: "name") as? String }.count } == 20
      )
    }
    let other = second.newBackgroundContext()
    #expect(try other.performAndWait { try other.all("Author").count } == 0)
    let store = try #require(first.persistentStoreCoordinator.persistentStores.first as? SQLiteStore)
    #expect(store.url?.path == "/dev/null" && FileManager.default.fileExists(atPath: store.path))
    try first.persistentStoreCoordinator.remove(store)
    #expect(!FileManager.default.fileExists(atPath: URL(fileURLWithPath: store.path).deletingLastPathComponent().path))
    #expect(first.persistentStoreCoordinator.persistentStores.isEmpty)
    writer.performAndWait {
      _ = #expect(throws: NSError.self) {
        _ = writer.make("Author")
        try writer.save()
      }
    }
  }

  @Test func privateStoreGoesWithItsCoordinator() throws {
    var path = ""
    do {
      let container = try container(URL(fileURLWithPath: "/dev/null"))
      path = try #require(container.persistentStoreCoordinator.persistentStores.first as? SQLiteStore).path
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func objectsAreFoundByURIAfterReopening() throws {
    let url = try TestModel.temporaryFile()
    var uri = URL(fileURLWithPath: "/")
    do {
      let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
      uri = try context.performAndWait {
        let novel = context.make("Novel", ["title": "N"])
        try context.save()
        return novel.objectID.uriRepresentation()
      }
    }
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    #expect(uri.absoluteString == "x-coredata://\(coordinator.persistentStores[0].identifier!)/Novel/p1")
    let context = TestModel.context(coordinator)
    let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
    let title = try context.performAndWait { try context.existingObject(with: id).value(forKey: "title") as? String }
    #expect(title == "N")
  }
}

extension URL {
  /// The file, with everything moved into it from the log.
  func checkpointed(_ coordinator: NSPersistentStoreCoordinator) throws -> URL {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    return self
  }
}
