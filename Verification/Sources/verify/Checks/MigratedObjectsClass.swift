import CoreData

extension Check {
  static let migratedObjectsClass = Check(
    "D-MIG-05", "objects of a migration are of no class of the application",
    expected: "NSManagedObject, NSManagedObject"
  ) {
    let people = People()
    people.person.managedObjectClassName = NSStringFromClass(CountedPerson.self)
    let source = people.model
    let bench = try Bench(source)
    let context = bench.context()
    context.make("Person", ["name": "Ann"])
    try context.save()
    try bench.coordinator.remove(bench.store)
    let later = People()
    later.person.managedObjectClassName = NSStringFromClass(CountedPerson.self)
    let destination = later.model
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    for entity in mapping.entityMappings ?? [] where entity.sourceEntityName == "Person" {
      entity.mappingType = .customEntityMappingType
      entity.entityMigrationPolicyClassName = NSStringFromClass(ClassWatchingPolicy.self)
    }
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: bench.url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: bench.folder.appendingPathComponent("New.sqlite"), destinationType: NSSQLiteStoreType,
      destinationOptions: nil)
    return ClassWatchingPolicy.classes.joined(separator: ", ")
  }
}
