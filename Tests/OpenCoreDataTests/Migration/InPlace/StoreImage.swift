import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

/// All objects of a store, with all values.
struct StoreImage {
  struct Key: Hashable, CustomStringConvertible {
    let entity: String
    let number: Int64

    var description: String { "\(entity)/p\(number)" }
  }

  struct Object {
    var attributes: [String: Any] = [:]
    /// In their order where they have one, else sorted.
    var members: [String: [Key]] = [:]
  }

  private(set) var objects: [Key: Object] = [:]

  init(
    _ url: URL, _ model: NSManagedObjectModel, type: String = NSSQLiteStoreType, configuration: String? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: configuration, at: url, options: options)
    let context = TestModel.context(coordinator)
    var found: [Key: Object] = [:]
    try context.performAndWait {
      for entity in model.entitiesInStoreOrder where !entity.isAbstract && store.holds(entity) {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        for object in try context.fetch(request) { found[Self.key(object)] = Self.read(object) }
      }
    }
    objects = found
    try coordinator.remove(store)
  }

  private static func key(_ object: NSManagedObject) -> Key {
    Key(entity: object.entity.name ?? "", number: object.key)
  }

  private static func read(_ object: NSManagedObject) -> Object {
    var result = Object()
    for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
      result.attributes[name] = object.value(forKey: name)
    }
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
      let value = object.value(forKey: name)
      switch value {
      case let set as NSOrderedSet: result.members[name] = set.array.compactMap { $0 as? NSManagedObject }.map(key)
      case let set as NSSet:
        result.members[name] = set.allObjects.compactMap { $0 as? NSManagedObject }.map(key).sorted()
      case let set as Set<NSManagedObject>: result.members[name] = set.map(key).sorted()
      case let object as NSManagedObject: result.members[name] = [key(object)]
      default: result.members[name] = []
      }
    }
    return result
  }
}

extension StoreImage.Key: Comparable {
  static func < (first: Self, second: Self) -> Bool {
    (first.entity, first.number) < (second.entity, second.number)
  }
}

extension StoreImage {
  /// What is not as an inference says that it must be, after a store with the content of `before` was migrated.
  /// - Parameter offsets: what was added to keys, by the old entity.
  func differences(
    from before: StoreImage, by migration: InferredMigration, offsets: [String: Int64] = [:]
  ) throws -> [String] {
    var problems: [String] = []
    var expected: Set<Key> = []
    let changes = Dictionary(
      migration.entities.compactMap { change in change.source?.name.map { ($0, change) } },
      uniquingKeysWith: { first, _ in first })
    func moved(_ key: Key, to entity: NSEntityDescription?) -> Key? {
      guard let now = changes[key.entity]?.destination, entity.map(now.isKindOf) ?? true else { return nil }
      return Key(entity: now.name ?? "", number: key.number + (offsets[key.entity] ?? 0))
    }
    // Who has an object among the members of a relationship of the source.
    var owners: [String: [Key: [Key]]] = [:]
    for (key, object) in before.objects {
      for (name, members) in object.members {
        let entity = migration.source.entitiesByName[key.entity]?.relationshipsByName[name]?.owner?.name ?? ""
        for member in members { owners["\(entity).\(name)", default: [:]][member, default: []].append(key) }
      }
    }
    for (oldKey, old) in before.objects {
      guard let change = changes[oldKey.entity], let key = moved(oldKey, to: nil) else { continue }
      expected.insert(key)
      guard let object = objects[key] else {
        problems.append("\(oldKey) is missing, \(key) is expected")
        continue
      }
      for attribute in change.attributes where !attribute.isDerived {
        let value = try attribute.value(of: attribute.source.flatMap { old.attributes[$0.name] })
        let found = object.attributes[attribute.destination.name]
        if !Self.isSame(value, found) {
          problems.append("\(key).\(attribute.path): \(value ?? "nil") is expected, \(found ?? "nil") is there")
        }
      }
      for relationship in change.relationships {
        let destination = relationship.destination
        var wanted: [Key]
        var hasOrder = destination.isOrdered
        if let source = relationship.source {
          wanted = (old.members[source.name] ?? []).compactMap { moved($0, to: destination.destinationEntity) }
          hasOrder = hasOrder && source.isOrdered
        } else if let inverse = destination.inverseRelationship, inverse !== destination,
          let source = migration.entities.lazy.flatMap(\.relationships).first(where: {
            $0.destination === inverse && $0.source != nil
          })?.source
        {
          let known = owners["\(source.owner?.name ?? "").\(source.name)"]?[oldKey] ?? []
          wanted = known.compactMap { moved($0, to: destination.destinationEntity) }
          hasOrder = false
        } else {
          wanted = []
        }
        var found = object.members[destination.name] ?? []
        if !hasOrder { (wanted, found) = (wanted.sorted(), found.sorted()) }
        if wanted != found {
          problems.append("\(key).\(destination.name): \(wanted) is expected, \(found) is there")
        }
      }
    }
    problems += objects.keys.filter { !expected.contains($0) }.map { "\($0) is there and was not before" }
    return problems
  }

  private static func isSame(_ first: Any?, _ second: Any?) -> Bool {
    switch (StoredValue.unwrapped(first), StoredValue.unwrapped(second)) {
    case (nil, nil): return true
    case (let first as [String: Any], let second as [String: Any]):
      return Set(first.keys).union(second.keys).allSatisfy { isSame(first[$0], second[$0]) }
    case (nil, let values as [String: Any]), (let values as [String: Any], nil):
      return values.values.allSatisfy { isSame($0, nil) }
    case (let first as String, let second as String): return first.utf8.elementsEqual(second.utf8)
    // A column has a decimal number as a double.
    case (let first as NSDecimalNumber, let second as NSDecimalNumber):
      return first == second || first.doubleValue == second.doubleValue
    case (let first as Data, let second as Data): return first == second
    case (let first?, let second?): return (first as? NSObject)?.isEqual(second) ?? ("\(first)" == "\(second)")
    default: return false
    }
  }
}
