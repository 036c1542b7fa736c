import CoreData

// Linked from a static archive of the library by .ci/static-archive. Each line asks for something that the library reaches by a
// cast, so that it needs an object file which nothing names.

func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.attributeType = type
  attribute.isOptional = true
  return attribute
}

let entity = NSEntityDescription()
entity.name = "Item"
entity.properties = [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)]
let model = NSManagedObjectModel()
model.entities = [entity]

nonisolated(unsafe) var failures = 0
func check(_ name: String, _ body: () throws -> Bool) {
  do {
    if try body() { return }
    print("\(name): the answer is wrong")
  } catch {
    print("\(name): \(error)")
  }
  failures += 1
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("static-archive-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType] {
  let isSQLite = type == NSSQLiteStoreType
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  try coordinator.addPersistentStore(
    ofType: type, configurationName: nil, at: folder.appendingPathComponent("Store.\(type)"),
    options: isSQLite ? [NSPersistentHistoryTrackingKey: true] : nil)
  let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  context.persistentStoreCoordinator = coordinator
  let items = (0..<3).map { number -> NSManagedObject in
    let item = NSManagedObject(entity: entity, insertInto: context)
    item.setValue("name \(number)", forKey: "name")
    item.setValue(number, forKey: "number")
    return item
  }
  try context.save()
  func count(_ predicate: NSPredicate, in context: NSManagedObjectContext = context) throws -> Int {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = predicate
    return try context.count(for: request)
  }
  let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  other.persistentStoreCoordinator = coordinator

  check("\(type): SELF == object") { try count(NSPredicate(format: "SELF == %@", items[1])) == 1 }
  check("\(type): SELF == ID, in another context") {
    try count(NSPredicate(format: "SELF == %@", items[1].objectID), in: other) == 1
  }
  check("\(type): SELF IN objects") { try count(NSPredicate(format: "SELF IN %@", Array(items[1...]))) == 2 }
  check("\(type): an object of another context is the same in memory") {
    NSPredicate(format: "SELF == %@", try other.existingObject(with: items[0].objectID)).evaluate(with: items[0])
  }
  check("\(type): a key path of an ID") { NSPredicate(format: "objectID.isTemporaryID == NO").evaluate(with: items[0]) }
  check("\(type): requests of any result") {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
    let objects = try context.fetch(request)
    request.resultType = .managedObjectIDResultType
    let ids = try context.fetch(request)
    return objects.count == 3 && objects.first is NSManagedObject && ids.first is NSManagedObjectID
  }
  check("\(type): dictionaries in groups") {
    let request = NSFetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["name"]
    request.propertiesToGroupBy = ["name"]
    return try context.fetch(request).count == 3
  }
  check("\(type): FETCH in a predicate") {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    let fetch = NSFetchRequestExpression.expression(
      forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context),
      countOnly: true)
    return (fetch.expressionValue(with: nil, context: nil) as? NSNumber)?.intValue == 3
  }
  check("\(type): an asynchronous fetch") {
    let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Item"))
    return try context.execute(request) is NSAsynchronousFetchResult<NSManagedObject>
  }
  check("\(type): a results controller") {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name", cacheName: nil)
    try controller.performFetch()
    return controller.sections?.count == 3
  }
  guard isSQLite else { continue }
  check("a batch insert, update and delete") {
    try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["name": "batch", "number": 9]]))
    let update = NSBatchUpdateRequest(entityName: "Item")
    update.predicate = NSPredicate(format: "number == 9")
    update.propertiesToUpdate = ["name": "updated"]
    try context.execute(update)
    let found = try count(NSPredicate(format: "name == 'updated'"))
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
    fetch.predicate = update.predicate
    try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
    return try found == 1 && count(NSPredicate(value: true)) == 3
  }
  check("the history") {
    let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
    return ((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])?.count == 4
  }
}

final class Value: NSObject {
  let name = "name"
  let number = 3
  let other: Int? = nil
  let numbers = [1, 2]
}

check("predicates of Swift") {
  let predicates: [Predicate<Value>] = [
    #Predicate { $0.number == 3 && $0.name != "x" }, #Predicate { $0.number + 1 > 2 || !($0.number < 1) },
    #Predicate { $0.numbers.contains(2) }, #Predicate { $0.name.localizedStandardContains("AM") },
    #Predicate { ($0.other ?? 5) == 5 }, #Predicate { $0.numbers.contains { $0 > 1 } },
    #Predicate { (1...4).contains($0.number) },
  ]
  return predicates.allSatisfy { NSPredicate($0) != nil }
}
print(failures == 0 ? "A program that is linked from an archive answers right." : "\(failures) answers are wrong.")
exit(failures == 0 ? 0 : 1)
