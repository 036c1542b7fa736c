import CoreData

@_spi(Store) @testable import OpenCoreData

/// Animals, dogs among them, and their owners; some of their values outlive them.
enum HistoryModel {
  /// The places in ZCOLUMNS of an animal: keeper, its mother (two: key and entity), age, born, name, then fans; a dog has
  /// breed after name, and its walker before age.
  static func make() -> NSManagedObjectModel {
    let name = TestModel.attribute("name", .stringAttributeType)
    let born = TestModel.attribute("born", .dateAttributeType)
    let breed = TestModel.attribute("breed", .stringAttributeType)
    let chip = TestModel.attribute("chip", .UUIDAttributeType)
    for attribute in [name, born, breed, chip] { attribute.preservesValueInHistoryOnDeletion = true }
    let mood = TestModel.attribute("mood", .stringAttributeType)
    mood.isTransient = true
    let animal = TestModel.entity("Animal", [name, born, mood, TestModel.attribute("age", .integer16AttributeType)])
    let dog = TestModel.entity("Dog", [breed, chip], parent: animal)
    let owner = TestModel.entity("Owner", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(animal, "keeper", max: 1, owner, "animals", max: 0)
    TestModel.relate(animal, "mother", max: 1, animal, "children", max: 0)
    TestModel.relate(animal, "fans", max: 0, owner, "likes", max: 0)
    TestModel.relate(dog, "walker", max: 1, owner, "walks", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [animal, dog, owner]
    return model
  }

  static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: NSNumber(value: true)] }

  static func coordinator(
    _ url: URL, _ options: [AnyHashable: Any]? = tracking, model: NSManagedObjectModel = make()
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    return coordinator
  }

  /// A context of a new store that tracks history, with an owner, an animal and a dog in one transaction.
  static func context(author: String? = nil) throws -> (url: URL, context: NSManagedObjectContext) {
    let url = try TestModel.temporaryFile()
    let context = TestModel.context(try coordinator(url))
    context.transactionAuthor = author
    try context.performAndWait {
      _ = context.make("Owner", ["name": "O"])
      try context.save()
      _ = context.make("Animal", ["name": "A", "age": 1])
      _ = context.make(
        "Dog",
        [
          "name": "D", "breed": "Collie", "born": Date(timeIntervalSinceReferenceDate: 5.5),
          "chip": UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!,
        ])
      try context.save()
    }
    return (url, context)
  }
}

extension NSManagedObjectContext {
  func transactions(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
    let result = try execute(request) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryTransaction] ?? []
  }

  /// Deletes history.
  func purge(_ request: NSPersistentHistoryChangeRequest) throws { _ = try execute(request) }

  func one(_ entity: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.includesSubentities = false
    return try fetch(request)[0]
  }
}
