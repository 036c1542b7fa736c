import CoreData

extension Check {
  static let sourceSaveInMigration = Check(
    "D-MIG-16", "what a migration policy saves in the source's context is migrated, and the source's file stays",
    expected: "done; new Ann!, old Ann"
  ) {
    let source = People().model
    let bench = try Bench(source)
    let context = bench.context()
    context.make("Person", ["name": "Ann"])
    try context.save()
    try bench.coordinator.remove(bench.store)
    let later = People()
    later.person.properties.append(attribute("note", .stringAttributeType))
    let destination = later.model
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    for entity in mapping.entityMappings ?? [] where entity.sourceEntityName == "Person" {
      entity.mappingType = .customEntityMappingType
      entity.entityMigrationPolicyClassName = NSStringFromClass(SourceSavingPolicy.self)
    }
    let new = bench.folder.appendingPathComponent("New.sqlite")
    let result = outcome {
      try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
        from: bench.url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: new,
        destinationType: NSSQLiteStoreType, destinationOptions: nil)
    }
    func names(_ url: URL, _ model: NSManagedObjectModel) throws -> String {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.all("Person").map { $0.text("name") }.joined(separator: ", ")
    }
    let made = FileManager.default.fileExists(atPath: new.path)
    return try "\(result); new \(made ? names(new, destination) : "none"), old \(names(bench.url, source))"
  }
}
