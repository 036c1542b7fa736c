import CoreData

extension Check {
  static let defaultFillsOldRows = Check(
    "D-MIG-09", "a new optional attribute with a default fills old rows",
    expected: "age 7"
  ) {
    let people = People()
    let bench = try Bench(people.model)
    let context = bench.context()
    context.make("Person", ["name": "Ann"])
    try context.save()
    try bench.coordinator.remove(bench.store)
    let later = People()
    let level = attribute("level", .integer64AttributeType)
    level.defaultValue = 7
    later.person.properties.append(level)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: later.model)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: bench.url,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
      ])
    let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    other.persistentStoreCoordinator = coordinator
    return "age \(try other.all("Person")[0].text("level"))"
  }
}
