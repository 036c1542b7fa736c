import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

// The default behaviour of migration policies, and the methods that expressions call.
extension NSMigrationManager {
  /// Makes the destination object of a source object.
  final func createInstance(
    of source: NSManagedObject, _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy
  ) throws {
    guard let run, let task = run.task(for: mapping) else { noMigration() }
    // The objects of an entity that is removed have no successors.
    guard let entity = task.destination, mapping.mappingType != .removeEntityMappingType else { return }
    if entity.isAbstract {
      throw MigrationFailure.error("it is abstract, and cannot have objects", entity: entity.name, mapping: mapping)
    }
    let object = NSManagedObject(entity: entity, insertInto: destinationContext)
    for property in task.attributes {
      guard let name = property.name, let expression = property.valueExpression else { continue }
      if let slots = task.directSlots(name, for: source) {
        object.setValue(source.currentValue(slots.from), slots.to)
        continue
      }
      let value = try run.value(
        of: expression, task, policy, property: property, source: source, destination: object)
      try MappedAttribute(object, name, mapping).set(value)
    }
    associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
  }

  /// Sets the relationships of an object that was made.
  final func createRelationships(
    of object: NSManagedObject, _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy
  ) throws {
    guard let run, let task = run.task(for: mapping) else { noMigration() }
    let mapped = task.relationships.filter { $0.valueExpression != nil }
    if mapped.isEmpty { return }
    let source = sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [object]).first
    for property in mapped {
      guard let name = property.name, let expression = property.valueExpression else { continue }
      let members = try MappedMembers(object, name, mapping)
      run.currentRelationship = members.slot
      defer { run.currentRelationship = nil }
      try members.set(
        run.value(of: expression, task, policy, property: property, source: source, destination: object))
    }
  }

  private final func noMigration() -> Never {
    raise(.internalInconsistency, "A migration policy is called for a mapping that no migration is about.")
  }

  /// The methods that expressions call.
  static var mappingMethods: [OCDCallableMethod] {
    [
      OCDCallableMethod(
        MappingFunction.fetchRequest.rawValue,
        arguments: { (manager: NSMigrationManager, arguments: [Any?]) in
          manager.fetchRequest(arguments[0] as? String, arguments[1] as? String)
        }),
      OCDCallableMethod(
        MappingFunction.destinationInstances.rawValue,
        arguments: { (manager: NSMigrationManager, arguments: [Any?]) in
          manager.destinationInstances(
            forEntityMappingName: arguments[0] as? String ?? "", sourceInstances: MappedMembers.objects(arguments[1]))
        }),
      OCDCallableMethod(
        MappingFunction.relatedInstances.rawValue,
        arguments: { (manager: NSMigrationManager, arguments: [Any?]) in
          manager.relatedInstances(MappedMembers.objects(arguments[1]) ?? [])
        }),
      OCDCallableMethod(
        "sourceInstancesForEntityMappingNamed:destinationInstances:",
        arguments: { (manager: NSMigrationManager, arguments: [Any?]) in
          manager.sourceInstances(
            forEntityMappingName: arguments[0] as? String ?? "",
            destinationInstances: MappedMembers.objects(arguments[1]))
        }),
    ]
  }

  /// A request for the objects of exactly this entity: its subentities have mappings of their own.
  private final func fetchRequest(_ entity: String?, _ format: String?) -> Any? {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity ?? "")
    request.includesSubentities = false
    guard let format, format != MappingFunction.everything else { return request }
    do {
      request.predicate = try NSPredicate(parsing: format)
    } catch {
      run?.failure = MigrationFailure.error(
        "the filter “\(format)” is no predicate: \(error.localizedDescription)", entity: entity)
    }
    return request
  }

  /// The destination objects made of these source objects by any mapping, if the relationship may lead to them.
  private final func relatedInstances(_ sources: [NSManagedObject]) -> [NSManagedObject] {
    guard let run else { return [] }
    let target = run.currentRelationship?.destination
    let names = run.makers(of: target)
    return sources.flatMap { associations.destinations(of: $0, names, run.destination) }.filter { object in
      target.map { object.entity.isKindOf(entity: $0) } ?? true
    }
  }
}

extension MigrationRun {
  /// The value of an expression of a mapping.
  /// - Throws: the error of a function within the expression.
  func value(
    of expression: NSExpression, _ task: MigrationTask, _ policy: NSEntityMigrationPolicy? = nil,
    property: NSPropertyMapping? = nil, source: NSManagedObject? = nil, destination: NSManagedObject? = nil
  ) throws -> Any? {
    let variables = NSMutableDictionary()
    variables[NSMigrationManagerKey] = manager
    variables[NSMigrationEntityMappingKey] = task.mapping
    variables[NSMigrationEntityPolicyKey] = policy ?? task.policy
    variables[NSMigrationPropertyMappingKey] = property ?? NSNull()
    variables[NSMigrationSourceObjectKey] = source ?? NSNull()
    variables[NSMigrationDestinationObjectKey] = destination ?? NSNull()
    let value = try SQLLoweringError.evaluating { try expression.checkedValue(with: source, context: variables) }
    if let failure {
      self.failure = nil
      throw failure
    }
    return StoredValue.unwrapped(value)
  }
}
