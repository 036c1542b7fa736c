import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// Names in paths.
@Suite struct NamesTests {
  /// Entities and relationships may have names of any letters.
  @Test func namesMayHaveAnyLetters() async throws {
    let model = Self.model()
    let folder = FileManager.default.temporaryDirectory.appending(path: "WebStoreNames-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = try await RunningService(at: folder.appending(path: "Store.sqlite"), model: model)
    do {
      try await onThread {
        let context = try Self.context(model, service.port)
        try context.performAndWait { () throws in
          let house = NSManagedObject(entity: try #require(model.entitiesByName["Gebäude"]), insertInto: context)
          for number in 1...3 {
            let room = NSManagedObject(entity: try #require(model.entitiesByName["Zimmer"]), insertInto: context)
            room.setValue("Größe \(number)", forKey: "Maß")
            room.setValue(house, forKey: "Gebäude")
          }
          try context.save()
        }
        let reader = try Self.context(model, service.port)
        try reader.performAndWait { () throws in
          let house = try #require(try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Gebäude")).first)
          // The members are asked for by a path that has both names.
          let rooms = house.value(forKey: "Räume") as? Set<NSManagedObject> ?? []
          #expect(Set(rooms.map { $0.value(forKey: "Maß") as? String }) == ["Größe 1", "Größe 2", "Größe 3"])
        }
      }
    } catch {
      try? await service.stop()
      throw error
    }
    #expect(service.counts["objects"] == 1)
    try await service.stop()
  }

  @Test func onlyRequestsThatThereAreAreCountedByName() {
    let counts = RequestCounts()
    for path in ["/store", "/saves/x", "/saves/y", "/a", "/b/c", "/", ""] { counts.note(path) }
    #expect(counts.all == ["store": 1, "saves": 2, "other": 4])
  }

  private static func context(_ model: NSManagedObjectModel, _ port: Int) throws -> NSManagedObjectContext {
    WebIncrementalStore.register()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: WebIncrementalStore.type, configurationName: nil, at: URL(string: "http://127.0.0.1:\(port)"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private static func model() -> NSManagedObjectModel {
    let (house, room) = (NSEntityDescription(), NSEntityDescription())
    (house.name, room.name) = ("Gebäude", "Zimmer")
    let size = NSAttributeDescription()
    (size.name, size.attributeType, size.isOptional) = ("Maß", .stringAttributeType, true)
    let (rooms, building) = (NSRelationshipDescription(), NSRelationshipDescription())
    (rooms.name, rooms.destinationEntity, rooms.inverseRelationship, rooms.isOptional) = ("Räume", room, building, true)
    (building.name, building.destinationEntity, building.inverseRelationship) = ("Gebäude", house, rooms)
    (building.maxCount, building.isOptional) = (1, true)
    house.properties = [rooms]
    room.properties = [size, building]
    let model = NSManagedObjectModel()
    model.entities = [house, room]
    return model
  }
}
