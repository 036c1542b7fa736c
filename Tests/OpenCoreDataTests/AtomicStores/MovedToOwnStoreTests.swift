import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that go on as an application's own kind of store: a kill leaves nothing half, since it is written once.
@Suite struct MovedToOwnStoreTests {
  /// A store whose file has a line for each time that it was written: the number of objects, and an entry of the
  /// metadata.
  final class LoggingStore: NSAtomicStore, @unchecked Sendable {
    static let type = "LoggingStore"

    override func load() throws { metadata = [NSStoreTypeKey: Self.type, NSStoreUUIDKey: UUID().uuidString] }

    override func save() throws {
      guard let url else { return }
      let before = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
      let line = "\(cacheNodes().count) \(metadata["mine"] ?? "none")\n"
      try (before + line).write(to: url, atomically: true, encoding: .utf8)
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }
  }

  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSInMemoryStoreType], [0, 700])
  func itIsWrittenOnce(_ type: String, _ count: Int) throws {
    NSPersistentStoreCoordinator.registerStoreClass(LoggingStore.self, forStoreType: LoggingStore.type)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ExternalFixture.model())
    let url = try TestModel.temporaryFile("Old")
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url)
    try coordinator.inContext { context in
      for number in 0..<count { _ = context.make("Album", ["name": "\(number)"]) }
      try context.save()
    }
    store.metadata["mine"] = "here"
    let place = url.deletingLastPathComponent().appendingPathComponent("New")
    let moved = try coordinator.migratePersistentStore(store, to: place, options: nil, withType: LoggingStore.type)
    #expect(try String(contentsOf: place, encoding: .utf8) == "\(count) here\n")
    #expect(moved.metadata["mine"] as? String == "here")
    #expect(moved.metadata[NSStoreTypeKey] as? String == LoggingStore.type)
  }
}
