import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// IDs that a service has handed out, and the objects that come for them later, perhaps after it was started anew.
@Suite struct GivenIDTests {
  private let url: URL

  init() throws { url = try TestModel.temporaryFile() }

  private func identifiers(_ count: Int) throws -> [URL] {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    defer { try? coordinator.remove(coordinator.persistentStores[0]) }
    return try coordinator.inContext { context in
      let objects = (0..<count).map { _ in context.insert("Author", ["name": "nobody"]) }
      try context.obtainPermanentIDs(for: objects)
      defer { context.reset() }
      return objects.map { $0.objectID.uriRepresentation() }
    }
  }

  @Test func aNewObjectTakesAnIDThatWasObtainedBefore() throws {
    let places = try identifiers(2)
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    try coordinator.inContext { context in
      let identifier = try #require(coordinator.managedObjectID(forURIRepresentation: places[1]))
      let author = context.insert("Author", ["name": "Ada"])
      #expect(author.rowVersion == 0)
      context.give(identifier, to: author)
      #expect(author.objectID == identifier && !author.objectID.isTemporaryID && author.isInserted)
      let other = context.insert("Author", ["name": "Grace"])
      try context.save()
      #expect(author.objectID == identifier && author.rowVersion == 1)
      #expect(!places.contains(other.objectID.uriRepresentation()), "an ID that was handed out is nobody else's")
      author.setValue("Ada L.", forKey: "name")
      try context.save()
      #expect(author.rowVersion == 2)
    }
    try coordinator.inContext { context in
      let identifier = try #require(coordinator.managedObjectID(forURIRepresentation: places[1]))
      let author = try context.existingObject(with: identifier)
      #expect(author.value(forKey: "name") as? String == "Ada L." && author.rowVersion == 2)
    }
  }
}
