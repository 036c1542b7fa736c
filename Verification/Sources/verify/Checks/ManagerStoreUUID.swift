import CoreData

extension Check {
  static let managerStoreUUID = Check(
    "D-MIG-11", "a migration manager gives the new store a new UUID",
    expected: "same false, Ann"
  ) {
    let bench = try Bench()
    let context = bench.context()
    context.make("Person", ["name": "Ann"])
    try context.save()
    let uuid = bench.store.identifier
    try bench.coordinator.remove(bench.store)
    let (source, destination) = (People().model, People().model)
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    let url = bench.folder.appendingPathComponent("New.sqlite")
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: bench.url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: url,
      destinationType: NSSQLiteStoreType, destinationOptions: nil)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    other.persistentStoreCoordinator = coordinator
    return "same \(store.identifier == uuid), \(try other.all("Person")[0].text("name"))"
  }
}
