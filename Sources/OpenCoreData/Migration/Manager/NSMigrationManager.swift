import Foundation
import OpenCocoaFoundation
import Synchronization

/// Makes a store of one model out of a store of another, as a mapping model says: for changes that cannot be inferred,
/// and to migrate beside the original instead of in its place.
///
/// ```swift
/// let old = container.managedObjectModel
/// guard let new = old.copy() as? NSManagedObjectModel else { return }
/// let mood = NSAttributeDescription()
/// (mood.name, mood.attributeType) = ("mood", .stringAttributeType)
/// new.entitiesByName["Entry"]?.properties.append(mood)
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// try manager.migrateStore(
///   from: folder.appendingPathComponent("Diary.sqlite"), type: .sqlite,
///   mapping: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new),
///   to: folder.appendingPathComponent("New.sqlite"), type: .sqlite)
/// print(manager.migrationProgress)  // 1.0
/// ```
///
/// Objects of the source are read in batches, and the objects made of them are written in batches, so that large stores
/// need little memory: about 100 bytes for each object, to record its destination objects. If a policy is of an
/// application's class, the objects that were made stay in memory, and are written at the end of each pass. Source
/// objects that a policy holds stay usable; they turn into faults after each batch.
///
/// The objects of both sides are of the class `NSManagedObject`, whatever classes the models name, because the two
/// models may give one class different properties (D-MIG-05). Validation is off until all objects and relationships are
/// made.
///
/// Use a manager on one thread; `migrationProgress` and `cancelMigrationWithError(_:)` may be used on any thread.
/// Opening a store with the options for migration migrates it in its place, and by SQLite's own means if the mapping is
/// inferred, which is much faster (D-MIG-06).
///
/// See also ``NSMappingModel``, ``NSEntityMigrationPolicy``, ``NSStagedMigrationManager``.
open class NSMigrationManager: NSObject, NSKeyValueCoding, OCDCallableByName {
  private struct Shared {
    var progress: Float = 0
    var cancellation: NSError?
  }

  private let models: (source: NSManagedObjectModel, destination: NSManagedObjectModel)
  private let shared = Mutex(Shared())
  /// The associations of source and destination objects, also those of earlier migrations with this manager.
  final var associations: MigrationAssociations
  /// The running migration.
  final var run: MigrationRun?
  /// A progress that is updated, too, and that ends the migration when it is cancelled.
  final var report: Progress?
  private var currentMapping: NSEntityMapping?
  private lazy var idleContexts = (
    source: NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType),
    destination: NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  )

  /// Makes a manager for stores of one model that are to become stores of another.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    models = (PlainModel.of(sourceModel), PlainModel.of(destinationModel))
    associations = MigrationAssociations(source: models.source, destination: models.destination)
    super.init()
  }

  /// The model of the store to migrate from.
  ///
  /// If the model that was given names classes for its objects, this is a copy that does not.
  open var sourceModel: NSManagedObjectModel { models.source }

  /// The model of the store to migrate to.
  ///
  /// If the model that was given names classes for its objects, this is a copy that does not.
  open var destinationModel: NSManagedObjectModel { models.destination }

  /// The mapping model of the running migration; at other times one without entity mappings.
  open var mappingModel: NSMappingModel { run?.mappingModel ?? NSMappingModel() }

  /// The context of the store to migrate from. It has no store except during a migration. A policy that changes objects may
  /// save it: the changes go to a copy of the store, which the migration reads from then on, and which goes with its end.
  /// The store itself is never written (D-MIG-16).
  open var sourceContext: NSManagedObjectContext { run?.source.context ?? idleContexts.source }

  /// The context of the store to migrate to. The manager saves it. It has no store except during a migration.
  open var destinationContext: NSManagedObjectContext { run?.destination.context ?? idleContexts.destination }

  /// The entity mapping that is being processed; at other times an empty one. It can be observed.
  open var currentEntityMapping: NSEntityMapping { currentMapping ?? NSEntityMapping() }

  /// The part of the migration that is done, from 0 to 1. It can be observed, and read on every thread.
  open var migrationProgress: Float { shared.withLock { $0.progress } }

  /// Any values that the application passes to its migration policies, which read them from the manager. Expressions
  /// read them as `$manager.userInfo`.
  open var userInfo: [AnyHashable: Any]?

  /// Whether a store may be migrated by a method of its own, with the same objects; true by default.
  ///
  /// Differs from Apple (D-MIG-06): the value makes no difference, because this manager always makes every object
  /// itself. So its progress and its current mapping are always reported, the destination objects can be looked up in a
  /// later migration, and the source is only read. Opening a store migrates it by SQLite's own means if the mapping
  /// model is inferred.
  open var usesStoreSpecificMigrationManager = true

  /// Removes the associations of source and destination objects, for another migration with the same manager.
  ///
  /// If several mapping models are used one after the other for one pair of stores, do not call it: the later ones can
  /// then look up the objects that the earlier ones have made. The manager also removes the associations
  /// when it is given other stores.
  open func reset() {
    associations.removeAll()
    setProgress(0)
  }

  /// Ends the running migration, which throws 134120 with this error as the underlying one. It may be called on any
  /// thread.
  open func cancelMigrationWithError(_ error: any Error) {
    let error = error as NSError
    shared.withLock { $0.cancellation = $0.cancellation ?? error }
  }

  /// The source entity of a mapping; nil if it has none.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The destination entity of a mapping; nil if it has none.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Migrates a store.
  ///
  /// The new store is made under another name beside its place, and put there when it is complete: if the migration
  /// fails or is killed, nothing is there. If there is already a store of the destination model, all objects are added
  /// to it, or none, so that several mapping models can be used one after the other. The source is only read. The new
  /// store has a UUID of its own, so that URIs of the old store's objects lead nowhere. It gets the metadata that the
  /// application has set in the source (D-MIG-11).
  ///
  /// ```swift
  /// let model = container.managedObjectModel
  /// let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
  /// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
  /// let place = folder.appendingPathComponent("Copy.sqlite")
  /// try manager.migrateStore(
  ///   from: folder.appendingPathComponent("Diary.sqlite"), type: .sqlite, mapping: mapping, to: place, type: .sqlite)
  /// print(try openDiary(at: place).viewContext.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 3
  /// ```
  ///
  /// - Parameters:
  ///   - sourceURL: The store to migrate from, of the source model or one of its configurations.
  ///   - sourceType: Its type.
  ///   - sourceOptions: The options to open it with.
  ///   - mapping: The mapping model.
  ///   - destinationURL: The place of the new store.
  ///   - destinationType: Its type.
  ///   - destinationOptions: The options to open it with.
  /// - Throws: an error of NSCocoaErrorDomain, with the entity and the property if there are any, and the underlying
  ///   error: 134110 for a mapping that does not fit the models, for a value that its attribute cannot have, and for
  ///   objects that the new model's validation refuses; 134111 for values that must be unique; 134120 after a
  ///   cancellation; 134150 and 134160 for a store that cannot be read or written; 134170 for an error of a migration
  ///   policy.
  open func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrate(
      from: MigrationPlace(sourceURL, sourceType.rawValue, sourceOptions),
      to: MigrationPlace(destinationURL, destinationType.rawValue, destinationOptions), mapping)
  }

  /// Migrates a store, as `migrateStore(from:type:options:mapping:to:type:options:)` does; without a mapping model it throws
  /// 134140.
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    guard let mappings else {
      throw NSError(
        coreData: NSMigrationMissingMappingModelError, "Persistent store migration failed, missing mapping model.",
        ["sourceModel": sourceModel, "destinationModel": destinationModel])
    }
    try migrate(
      from: MigrationPlace(sourceURL, sStoreType, sOptions), to: MigrationPlace(dURL, dStoreType, dOptions), mappings)
  }

  /// Records that a mapping has made one object from another. A policy that makes objects itself calls it, so that
  /// relationships find these objects.
  ///
  /// ```swift
  /// final class SplittingPolicy: NSEntityMigrationPolicy {
  ///   override func createDestinationInstances(
  ///     forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ///   ) throws {
  ///     let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: manager.destinationContext)
  ///     tag.setValue((sInstance.value(forKey: "name") as? String)?.uppercased(), forKey: "name")
  ///     manager.associate(sourceInstance: sInstance, withDestinationInstance: tag, for: mapping)
  ///   }
  /// }
  ///
  /// let model = container.managedObjectModel
  /// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
  /// let tags = mapping.entityMappings.first { $0.sourceEntityName == "Tag" }
  /// tags?.entityMigrationPolicyClassName = NSStringFromClass(SplittingPolicy.self)
  /// let place = folder.appendingPathComponent("Upper.sqlite")
  /// try NSMigrationManager(sourceModel: model, destinationModel: model).migrateStore(
  ///   from: folder.appendingPathComponent("Diary.sqlite"), type: .sqlite, mapping: mapping, to: place, type: .sqlite)
  /// let migrated = try openDiary(at: place)
  /// let found = try migrated.viewContext.fetch(NSFetchRequest<Tag>(entityName: "Tag"))
  /// print(found.compactMap(\.name).sorted())  // ["SWIFT", "WORK"]
  /// ```
  ///
  /// Without this call the object is written, but relationships that led to its source object do not lead to it.
  /// - Parameters:
  ///   - sourceInstance: an object of ``sourceContext``.
  ///   - destinationInstance: the object made from it, in ``destinationContext``. One source object may have several.
  ///   - entityMapping: the mapping that is being processed.
  ///
  /// See also ``destinationInstances(forEntityMappingName:sourceInstances:)``.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.add(sourceInstance, destinationInstance, entityMapping.name)
  }

  /// The destination objects that a mapping has made of these source objects, in their order; for nil, all that it has
  /// made. A policy's `createRelationships` looks objects up by it.
  ///
  /// ```swift
  /// final class MarkingPolicy: NSEntityMigrationPolicy {
  ///   override func createDestinationInstances(
  ///     forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ///   ) throws {
  ///     try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  ///     let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
  ///     made.first?.setValue("migrated", forKey: "text")
  ///   }
  /// }
  ///
  /// let model = container.managedObjectModel
  /// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
  /// let entries = mapping.entityMappings.first { $0.sourceEntityName == "Entry" }
  /// entries?.entityMigrationPolicyClassName = NSStringFromClass(MarkingPolicy.self)
  /// let place = folder.appendingPathComponent("Marked.sqlite")
  /// try NSMigrationManager(sourceModel: model, destinationModel: model).migrateStore(
  ///   from: folder.appendingPathComponent("Diary.sqlite"), type: .sqlite, mapping: mapping, to: place, type: .sqlite)
  /// let migrated = try openDiary(at: place)
  /// print(try fetchEntry("Monday", in: migrated.viewContext).text ?? "none")  // migrated
  /// ```
  /// - Parameters:
  ///   - mappingName: the name of an entity mapping of this migration, or of an earlier one with this manager.
  ///   - sourceInstances: objects of ``sourceContext``; nil for all.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.destinations(mappingName, of: sourceInstances, run?.destination)
  }

  /// The source objects from which a mapping has made these destination objects, in their order; for nil, all source
  /// objects of the mapping.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.sources(mappingName, of: destinationInstances, run?.source)
  }

  /// The properties that expressions can read by name, e.g. `$manager.sourceContext`.
  open class var keyValueProperties: [OCDKeyValueProperty] {
    [
      OCDKeyValueProperty("sourceContext", \NSMigrationManager.sourceContext),
      OCDKeyValueProperty("destinationContext", \NSMigrationManager.destinationContext),
      OCDKeyValueProperty("sourceModel", \NSMigrationManager.sourceModel),
      OCDKeyValueProperty("destinationModel", \NSMigrationManager.destinationModel),
      OCDKeyValueProperty("mappingModel", \NSMigrationManager.mappingModel),
      OCDKeyValueProperty("currentEntityMapping", \NSMigrationManager.currentEntityMapping),
      OCDKeyValueProperty("migrationProgress", \NSMigrationManager.migrationProgress),
      OCDKeyValueProperty("userInfo", \NSMigrationManager.userInfo),
    ]
  }

  /// The methods that expressions can call, e.g. `FUNCTION($manager,
  /// "destinationInstancesForEntityMappingNamed:sourceInstances:", …)`.
  open class var callableMethods: [OCDCallableMethod] { mappingMethods }

  // MARK: Observers

  /// Announces that a property is about to change, as the manager does with `migrationProgress` and
  /// `currentEntityMapping`.
  open func willChangeValue(forKey key: String) { KeyValueObserving.willChange(self, key, .setting) }

  /// Tells observers that a property has changed. A subclass that overrides it follows the progress without observing it;
  /// it is called on the thread that migrates.
  open func didChangeValue(forKey key: String) { KeyValueObserving.didChange(self, key) }

  // MARK: Progress and cancellation

  /// - Throws: 134120 if the migration was cancelled.
  final func checkCancellation() throws {
    if report?.isCancelled == true { cancelMigrationWithError(CocoaError(.userCancelled)) }
    guard let error = shared.withLock({ $0.cancellation }) else { return }
    throw NSError(
      coreData: NSMigrationCancelledError, "The migration was cancelled: \(error.localizedDescription)",
      [NSUnderlyingErrorKey: error])
  }

  final func forgetCancellation() { shared.withLock { $0.cancellation = nil } }

  /// The progress never decreases during a migration.
  final func setProgress(_ progress: Float) {
    guard migrationProgress != progress else { return }
    willChangeValue(forKey: "migrationProgress")
    shared.withLock { $0.progress = progress }
    report?.completedUnitCount = Int64(Double(report?.totalUnitCount ?? 0) * Double(progress))
    didChangeValue(forKey: "migrationProgress")
  }

  final func setCurrent(_ mapping: NSEntityMapping?) {
    guard currentMapping !== mapping else { return }
    willChangeValue(forKey: "currentEntityMapping")
    currentMapping = mapping
    didChangeValue(forKey: "currentEntityMapping")
  }
}
