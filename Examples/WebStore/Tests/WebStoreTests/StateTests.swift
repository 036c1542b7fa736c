import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// The metadata of a service that is not opened, which say the state of its objects.
@Suite struct StateTests {
  private static func metadata(_ url: URL) throws -> [String: Any] {
    WebIncrementalStore.register()
    return try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: WebIncrementalStore.type, at: url)
  }

  private static func state(_ world: World) throws -> String {
    try #require(try metadata(world.relay.url)[WebIncrementalStore.stateKey] as? String)
  }

  @Test func theStateChangesWithEachSaveAndWithNothingElse() async throws {
    try await World.withSteps { world in
      let before = try await onThread {
        let stack = try world.stack()
        let empty = try Self.state(world)
        try stack.fill(3)
        let filled = try Self.state(world)
        try stack.inContext { (context) throws in
          #expect(try context.all(Book.self).count == 6)
          #expect(try context.count(for: NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")) == 3)
        }
        #expect(try Self.state(world) == filled && filled != empty)
        // A save that is refused changes nothing.
        try stack.inContext { (context) throws in
          let book = try #require(try context.all(Book.self).first)
          try world.stack().inContext { other in
            try other.all(Book.self).first { $0.title == book.title }?.title = "Theirs"
            try other.save()
          }
          let theirs = try Self.state(world)
          book.title = "Mine"
          #expect(throws: (any Error).self) { try context.save() }
          #expect(try Self.state(world) == theirs && theirs != filled)
        }
        return try Self.state(world)
      }
      try await world.endService()
      try await world.startService()
      try await onThread { () throws in
        #expect(try Self.state(world) != before)
      }
    }
  }

  /// A program that writes the file beside the service.
  @Test func theStateChangesWithTheFile() async throws {
    try await World.with { world in
      let before = try Self.state(world)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Model.books)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: world.file,
        options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        Author(context: context).name = "Ada"
        try context.save()
      }
      try coordinator.remove(store)
      #expect(try Self.state(world) != before)
    }
  }

  @Test func theMetadataAreThoseOfTheOpenedStore() async throws {
    try await World.with { world in
      let stack = try world.stack()
      var metadata = try Self.metadata(world.relay.url)
      metadata[WebIncrementalStore.stateKey] = nil
      let opened = try #require(stack.web?.metadata)
      #expect(NSDictionary(dictionary: metadata) == NSDictionary(dictionary: opened))
      #expect(Model.books.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
      #expect(
        failure {
          try NSPersistentStoreCoordinator.setMetadata(
            [:], forPersistentStoreOfType: WebIncrementalStore.type, at: world.relay.url)
        } == "WebStoreErrorDomain 6")
      world.relay.leave()
      let place = world.relay.url.absoluteString.replacing("http://", with: "http://me:hidden@") + "?key=hidden"
      do {
        _ = try Self.metadata(try #require(URL(string: place)))
        Issue.record("A service that is away said what it is.")
      } catch let error as NSError {
        #expect(error.isWeb(.away) && !error.localizedDescription.contains("hidden"), "\(error)")
      }
    }
  }
}
