import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Verifies the result of a mapping model by applying the mapping model to it once more: each value that would change
/// is a difference. Nothing is written. Values that an application's policy makes, that the store computes, or that
/// differ each time are not compared.
struct MappedVerification {
  /// The manager of the migration, which knows the destination objects of each source object.
  let manager: NSMigrationManager
  let mapping: NSMappingModel

  /// - Parameters:
  ///   - before: A store with the content from before.
  ///   - after: The store that was made.
  /// - Throws: the errors of reading the stores.
  func run(
    before: MigrationPlace, after: MigrationPlace, progress: (String, Int) -> Void
  ) throws -> MigrationVerification {
    let policies = try MappingCheck(manager, mapping).policies()
    var options = after.options ?? [:]
    options[NSReadOnlyPersistentStoreOption] = true
    let after = MigrationPlace(after.url, after.type, options)
    let run = try MigrationRun(manager, mapping, policies, from: before, to: after, at: after.url)
    manager.run = run
    defer {
      manager.run = nil
      run.close()
    }
    return try run.source.context.performAndWait {
      try run.destination.context.performAndWait { try compare(run, progress) }
    }
  }

  private func compare(_ run: MigrationRun, _ progress: (String, Int) -> Void) throws -> MigrationVerification {
    var result = MigrationVerification()
    var made: [String: (source: String?, before: Int, made: Int, isStandard: Bool)] = [:]
    for task in run.tasks {
      let given = try run.count(task)
      let isStandard = Self.isStandard(task.policy)
      let own = manager.associations.givenCount(of: task.mapping.name)
      if isStandard, task.takesInstances, try SourceInstances.request(task, manager) != nil, own != given {
        result.report("\(task.mapping.name ?? ""): \(own) objects were migrated, \(given) are there to be migrated")
      }
      guard let name = task.destination?.name else {
        result.entities.append(
          .init(name: task.source?.name ?? "", source: task.source?.name, before: given, after: 0))
        continue
      }
      var known = made[name] ?? (task.source?.name, 0, 0, true)
      known.before += given
      known.made += manager.associations.made(by: task.mapping.name).count
      known.isStandard = known.isStandard && isStandard
      made[name] = known
      try compare(task, run, isStandard, &result) { progress(name, $0) }
    }
    let model = manager.destinationModel
    for entity in model.entitiesInStoreOrder where !entity.isAbstract && run.destination.store.holds(entity) {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      let count = try run.destination.context.count(for: request)
      let known = made[entity.name ?? ""]
      if known?.isStandard != false, count != known?.made ?? 0 {
        result.report("\(entity.name ?? ""): \(count) objects are there, \(known?.made ?? 0) were made")
      }
      result.entities.append(
        .init(name: entity.name ?? "", source: known?.source, before: known?.before ?? 0, after: count))
    }
    return result
  }

  private static func isStandard(_ policy: NSEntityMigrationPolicy) -> Bool {
    type(of: policy) == NSEntityMigrationPolicy.self
  }

  private func compare(
    _ task: MigrationTask, _ run: MigrationRun, _ isStandard: Bool, _ result: inout MigrationVerification,
    _ progress: (Int) -> Void
  ) throws {
    let made = manager.associations.made(by: task.mapping.name)
    let context = run.destination.context
    for start in stride(from: 0, to: made.count, by: MigrationRun.batchSize) {
      let references = made[start..<min(start + MigrationRun.batchSize, made.count)]
      let objects = manager.associations.destinationInstances(references, run.destination)
      // A fetch finds the objects that have a row, because a fault without a row must not be fired.
      let request = NSFetchRequest<NSManagedObject>(entityName: task.destination?.name ?? "")
      request.predicate = NSPredicate(format: "SELF IN %@", objects)
      let found = Set(try context.fetch(request).map(ObjectIdentifier.init))
      let sources = manager.associations.prepareSources(task.mapping.name, of: references, run.source)
      for object in objects {
        let name = "\(object.layout.name)/p\(object.key)"
        guard found.contains(ObjectIdentifier(object)) else {
          result.report("\(name) is missing")
          continue
        }
        result.objects += 1
        if isStandard { try compare(object, name, task, run, &result) }
        try run.checkFaults()
      }
      withExtendedLifetime(sources) {}
      context.rollback()
      run.source.letGo()
      run.destination.letGo()
      progress(result.objects)
    }
  }

  private func compare(
    _ object: NSManagedObject, _ name: String, _ task: MigrationTask, _ run: MigrationRun,
    _ result: inout MigrationVerification
  ) throws {
    let mapping = task.mapping
    let source = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [object]).first
    func value(_ property: NSPropertyMapping, _ expression: NSExpression) throws -> Any? {
      try run.value(of: expression, task, property: property, source: source, destination: object)
    }
    for property in task.attributes + task.relationships {
      guard let key = property.name, let expression = property.valueExpression, !expression.differsEachTime,
        let slot = object.layout.slot(named: key)
      else { continue }
      result.values += 1
      do {
        if slot.kind.isRelationship {
          let members = try MappedMembers(object, key, mapping)
          run.currentRelationship = members.slot
          defer { run.currentRelationship = nil }
          try members.set(value(property, expression))
        } else if let source, let slots = task.directSlots(key, for: source) {
          object.setValue(source.currentValue(slots.from), slots.to)
        } else {
          try MappedAttribute(object, key, mapping).set(value(property, expression))
        }
      } catch {
        result.report("\(name).\(key): \(error.localizedDescription)")
      }
    }
    let stored = object.committedValues(forKeys: nil)
    for (key, expected) in object.changedValues().sorted(by: { $0.key < $1.key }) {
      guard let property = object.entity.propertiesByName[key] else { continue }
      let texts = (VerifiedValue.text(stored[key], of: property), VerifiedValue.text(expected, of: property))
      result.report("\(name).\(key): \(texts.0) is there, \(texts.1) is expected")
    }
  }
}

extension NSExpression {
  /// Whether the expression calls a function that returns another value each time.
  fileprivate var differsEachTime: Bool {
    var found = false
    visit { expression in
      if case .function(let name, _, _) = expression.node, ExpressionFunction(rawValue: name)?.isLasting == false {
        found = true
      }
    }
    return found
  }
}
