import CoreData
import Foundation

/// A migration that takes some seconds, off the main thread, with a progress that the main thread shows.
struct SlowMigration {
  /// The store, which has the first version of the model.
  let store: URL
  /// About how long the migration is to take.
  let duration: Duration
  /// How many objects the store has.
  let count: Int

  /// Opens the store with the next version of the model, which it then has.
  ///
  /// - Parameter progress: Called on the thread of the migration with the part that is done, from 0 to 1.
  /// - Throws: The errors of migrating.
  @concurrent func run(progress: @escaping @Sendable (Float) -> Void) async throws -> NSPersistentContainer {
    dispatchPrecondition(condition: .notOnQueue(.main))
    let source = NSPersistentContainer(name: "MultiThread").managedObjectModel, destination = Self.next(source)
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    for entity in mapping.entityMappings ?? [] {
      entity.entityMigrationPolicyClassName = NSStringFromClass(SlowPolicy.self)
    }
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    manager.userInfo = ["pause": (duration / count) / .seconds(1)]
    // Observers are called where the value changes.
    let observation = manager.observe(\.migrationProgress) { manager, _ in progress(manager.migrationProgress) }
    defer { observation.invalidate() }
    // Into a file beside, which then takes the place of the store: what stops the program meanwhile leaves the store as it was.
    let migrated = store.deletingLastPathComponent().appending(path: "Migrated.sqlite")
    try manager.migrateStore(
      from: store, type: .sqlite, options: nil, mapping: mapping, to: migrated, type: .sqlite, options: nil)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
    try coordinator.replacePersistentStore(
      at: store, destinationOptions: nil, withPersistentStoreFrom: migrated, sourceOptions: nil, type: .sqlite)
    try coordinator.destroyPersistentStore(at: migrated, type: .sqlite, options: nil)
    let container = NSPersistentContainer(name: "MultiThread", managedObjectModel: destination)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  /// The next version of the model: MyData has a text, too.
  private static func next(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    guard let next = model.copy() as? NSManagedObjectModel, let entity = next.entitiesByName["MyData"] else {
      fatalError("The model has no MyData.")
    }
    let text = NSAttributeDescription()
    text.name = "text"
    text.attributeType = .stringAttributeType
    text.isOptional = true
    entity.properties.append(text)
    return next
  }
}

/// Makes each object's text of its value, which takes a while.
final class SlowPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    made.first?.setValue("number \(source.value(forKey: "myValue") ?? "")", forKey: "text")
    Thread.sleep(forTimeInterval: manager.userInfo?["pause"] as? Double ?? 0)
  }
}
