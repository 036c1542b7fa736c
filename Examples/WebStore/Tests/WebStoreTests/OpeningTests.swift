import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// What is no service, or not the one that is expected.
@Suite struct OpeningTests {
  @Test func whatIsNoServiceIsSaid() async throws {
    try await World.with { world in
      for (url, code) in [
        ("ftp://127.0.0.1/", "WebStoreErrorDomain 4"),
        ("http://127.0.0.1:\(world.service.port)/nothing/", "WebStoreErrorDomain 3"),
      ] {
        #expect(failure { _ = try Stack(try #require(URL(string: url))) } == code, "\(url)")
      }
      #expect(failure { _ = try world.stack([WebStoreOption.attempts: "many"]) } == "WebStoreErrorDomain 5")
      // A service of another model.
      let other = try #require(Model.books.copy() as? NSManagedObjectModel)
      other.entitiesByName["Tag"]?.properties.append(NSAttributeDescription.named("color"))
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
      #expect(
        failure {
          try coordinator.addPersistentStore(
            ofType: WebIncrementalStore.type, configurationName: nil, at: world.relay.url)
        } == "NSCocoaErrorDomain \(NSPersistentStoreIncompatibleVersionHashError)")
      world.relay.leave()
      #expect(failure { _ = try world.stack() } == "WebStoreErrorDomain 1")
    }
  }
}

extension NSAttributeDescription {
  fileprivate static func named(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
    return attribute
  }
}
