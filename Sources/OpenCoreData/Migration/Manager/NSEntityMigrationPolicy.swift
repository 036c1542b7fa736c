import Foundation
import OpenCocoaFoundation

/// How a migration manager makes the objects of an entity mapping: by default as the mapping's expressions say. An
/// entity mapping names a subclass for work that expressions cannot do.
///
/// ```swift
/// final class SummaryPolicy: NSEntityMigrationPolicy {
///   override func createDestinationInstances(
///     forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
///   ) throws {
///     try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
///     let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
///     made.first?.setValue(sInstance.value(forKeyPath: "pages.@count"), forKey: "words")
///   }
/// }
///
/// let model = container.managedObjectModel
/// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
/// let entries = mapping.entityMappings.first { $0.sourceEntityName == "Entry" }
/// entries?.entityMigrationPolicyClassName = NSStringFromClass(SummaryPolicy.self)
/// let place = folder.appendingPathComponent("Summary.sqlite")
/// try NSMigrationManager(sourceModel: model, destinationModel: model).migrateStore(
///   from: folder.appendingPathComponent("Diary.sqlite"), type: .sqlite, mapping: mapping, to: place, type: .sqlite)
/// let migrated = try openDiary(at: place)
/// print(try fetchEntry("Monday", in: migrated.viewContext).words)  // 2
/// ```
///
/// The manager makes one policy for each entity mapping. It calls, for all mappings in their order, first `begin`,
/// `createDestinationInstances` for each object of the source, and `endInstanceCreation`; then `createRelationships`
/// for each object that was made, and `endRelationshipCreation`; then `performCustomValidation` and `end`. An error
/// that any of them throws ends the migration, which throws 134170 with this error as the underlying one.
///
/// The class is found by its name, with or without its module, or by the name in `@objc(Name)` if a build plugin lists
/// it. A class that is not found in this way, such as a class within another, is made known by ``register(_:forName:)``
/// (D-MIG-02). Objects are NSManagedObjects on both sides: use keys (D-MIG-05).
open class NSEntityMigrationPolicy: NSObject, NSKeyValueCoding, OCDCallableByName {
  /// Makes a policy. Managers make one for each entity mapping.
  public required override init() { super.init() }

  /// Called before the objects of a mapping are made, so that the policy can look up values that it needs for all of
  /// them.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Called for each object of the source. Makes an object of the mapping's destination entity, sets its attributes as
  /// the mapping says, and associates the two.
  ///
  /// An override that does not call `super` must associate the objects that it makes, by
  /// ``NSMigrationManager/associate(sourceInstance:withDestinationInstance:for:)``. It may make any number of objects;
  /// if it makes none, the source object is left out.
  ///
  /// ```swift
  /// final class ShortEntriesOnly: NSEntityMigrationPolicy {
  ///   override func createDestinationInstances(
  ///     forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ///   ) throws {
  ///     guard sInstance.value(forKey: "words") as? Int ?? 0 < 150 else { return }
  ///     try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  ///   }
  /// }
  ///
  /// let model = container.managedObjectModel
  /// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
  /// let entries = mapping.entityMappings.first { $0.sourceEntityName == "Entry" }
  /// entries?.entityMigrationPolicyClassName = NSStringFromClass(ShortEntriesOnly.self)
  /// let place = folder.appendingPathComponent("Short.sqlite")
  /// try NSMigrationManager(sourceModel: model, destinationModel: model).migrateStore(
  ///   from: folder.appendingPathComponent("Diary.sqlite"), type: .sqlite, mapping: mapping, to: place, type: .sqlite)
  /// print(try openDiary(at: place).viewContext.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 2
  /// ```
  /// - Throws: 134110 for a value that its attribute cannot have, naming entity and attribute.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try manager.createInstance(of: sInstance, mapping, self)
  }

  /// Called when all objects of a mapping are made, before their relationships are set.
  open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called for each object that was made by a mapping, when the objects of all mappings are made. Sets its
  /// relationships as the mapping says.
  /// - Throws: 134110 for objects that the relationship cannot lead to, naming entity and relationship.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try manager.createRelationships(of: dInstance, mapping, self)
  }

  /// Called when the relationships of all objects of a mapping are set.
  open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called when all relationships are set, before the destination's own rules are checked. An error that it throws
  /// ends the migration with nothing written (134170).
  open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called last, for each mapping, so that the policy can release what it holds.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// The methods that the mapping's expressions may call: `FUNCTION($entityPolicy, "upper:", $source.title)`.
  ///
  /// Differs from Apple (D-MIG-01): a method has to be listed to be called, see `OCDCallableByName`. The build plugins
  /// list the methods of policies by the selectors that Objective-C would give them (`countryOf:language:`). Only
  /// methods that the plugins leave out, which are generic and throwing ones, need an entry.
  open class var callableMethods: [OCDCallableMethod] { [] }

  /// The properties that expressions can read by name, as `$entityPolicy.prefix`. Stored properties need not be listed.
  open class var keyValueProperties: [OCDKeyValueProperty] { [] }

  /// Registers a migration policy class for a name that entity mappings use for it. Not in Apple's framework.
  public static func register(_ policyClass: NSEntityMigrationPolicy.Type, forName name: String) {
    MigrationPolicyClasses.register(policyClass, name)
  }
}
