import CoreData
import Foundation
import Testing

/// A kind of store that is made outside of the framework, by overriding what contexts ask of stores.
@Suite struct TableStoreTests {
  private static func stack(_ host: String) throws -> NSManagedObjectContext {
    NSPersistentStoreCoordinator.registerStoreClass(TableStore.self, forStoreType: TableStore.type)
    let text = NSAttributeDescription()
    (text.name, text.attributeType, text.isOptional) = ("text", .stringAttributeType, true)
    let number = NSAttributeDescription()
    (number.name, number.attributeType, number.defaultValue) = ("number", .integer64AttributeType, 0)
    let note = NSEntityDescription()
    (note.name, note.managedObjectClassName, note.properties) = ("Note", "NSManagedObject", [text, number])
    let model = NSManagedObjectModel()
    model.entities = [note]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = try #require(URL(string: "table://me:secret@\(host)/notes"))
    try coordinator.addPersistentStore(ofType: TableStore.type, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private static func insert(_ numbers: some Sequence<Int>, _ context: NSManagedObjectContext) throws {
    for number in numbers {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("Note \(number)", forKey: "text")
      note.setValue(number, forKey: "number")
    }
    try context.save()
  }

  private static func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
    return request
  }

  @Test func objectsAreSavedFetchedAndFired() throws {
    let host = UUID().uuidString
    let (context, other) = (try Self.stack(host), try Self.stack(host))
    try context.performAndWait { try Self.insert(1...5, context) }
    try other.performAndWait {
      let request = Self.request("number > 2")
      request.fetchLimit = 2
      #expect(try other.fetch(request).map { $0.value(forKey: "text") as? String } == ["Note 5", "Note 4"])
      #expect(try other.count(for: Self.request()) == 5)
      let first = try #require(try other.fetch(Self.request("number == 1")).first)
      other.delete(first)
      try other.save()
    }
    #expect(try context.performAndWait { try context.count(for: Self.request()) } == 4)
  }

  @Test func whatIsUnsavedCountsAndUndoneIsGone() throws {
    let context = try Self.stack(UUID().uuidString)
    try context.performAndWait {
      try Self.insert(1...3, context)
      let notes = try context.fetch(Self.request())
      notes[0].setValue(100, forKey: "number")
      #expect(try context.count(for: Self.request("number >= 100")) == 1)
      context.rollback()
      #expect(try context.count(for: Self.request("number >= 100")) == 0)
      context.reset()
      #expect(try context.fetch(Self.request()).map { $0.value(forKey: "number") as? Int } == [3, 2, 1])
    }
  }

  @Test func sameStoreTwiceIsRefusedWithoutThePassword() throws {
    let host = UUID().uuidString
    let coordinator = try #require(try Self.stack(host).persistentStoreCoordinator)
    let url = try #require(URL(string: "table://other:secret@\(host)/notes?password=secret"))
    let error = #expect(throws: NSError.self) {
      _ = try coordinator.addPersistentStore(ofType: TableStore.type, configurationName: nil, at: url, options: nil)
    }
    let text = "\(error?.localizedDescription ?? "") \(error?.userInfo ?? [:])"
    #expect(text.contains(host) && !text.contains("secret"))
    #expect(coordinator.persistentStore(for: url) === coordinator.persistentStores.first)
  }

  @Test func whatSuchAStoreCannotDoIsSaid() throws {
    let context = try Self.stack(UUID().uuidString)
    let error = #expect(throws: NSError.self) {
      _ = try context.performAndWait {
        try context.execute(NSBatchDeleteRequest(fetchRequest: Self.request().retyped()))
      }
    }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
  }
}
