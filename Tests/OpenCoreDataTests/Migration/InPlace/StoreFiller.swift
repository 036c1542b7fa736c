import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

/// Fills stores with generated objects: every entity, every attribute, every relationship.
enum StoreFiller {
  /// A store of that many objects of each entity at `url`. Rules of validation are left aside, and classes too.
  static func make(
    _ model: NSManagedObjectModel, at url: URL, type: String = NSSQLiteStoreType, configuration: String? = nil,
    objects: Int, random: inout SeededGenerator, options: [AnyHashable: Any]? = nil
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: configuration, at: url, options: options)
    let context = TestModel.context(coordinator)
    var generator = random
    try context.performAndWait {
      var made: [NSManagedObject] = []
      for entity in model.entitiesInStoreOrder where !entity.isAbstract && store.holds(entity) {
        for _ in 0..<objects { made.append(NSManagedObject(entity: entity, insertInto: context)) }
      }
      for (number, object) in made.enumerated() { setValues(of: object, number, &generator) }
      for object in made { relate(object, made, &generator) }
      var work = SaveWork()
      work.inserted = ContiguousArray(made)
      _ = try store.save(work, in: context)
    }
    random = generator
    try coordinator.remove(store)
  }

  private static func setValues(of object: NSManagedObject, _ number: Int, _ random: inout SeededGenerator) {
    for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key }) where attribute.isSettable {
      if let composite = attribute as? NSCompositeAttributeDescription {
        object.setValue(values(of: composite, number, &random), forKey: name)
      } else if !attribute.isOptional || Int.random(in: 0..<4, using: &random) > 0 {
        object.setValue(value(attribute, number, &random), forKey: name)
      } else {
        object.setValue(nil, forKey: name)
      }
    }
  }

  private static func values(
    of composite: NSCompositeAttributeDescription, _ number: Int, _ random: inout SeededGenerator
  ) -> [String: Any] {
    var result: [String: Any] = [:]
    for element in composite.elements {
      if let nested = element as? NSCompositeAttributeDescription {
        result[element.name] = values(of: nested, number, &random)
      } else {
        result[element.name] = value(element, number, &random)
      }
    }
    return result
  }

  private static func value(
    _ attribute: NSAttributeDescription, _ number: Int, _ random: inout SeededGenerator
  ) -> Any? {
    switch attribute.attributeType {
    case .binaryDataAttributeType where attribute.allowsExternalBinaryDataStorage && number.isMultiple(of: 3):
      return Data(repeating: UInt8(truncatingIfNeeded: number), count: 120_000)
    case .transformableAttributeType where attribute.valueTransformerName != nil: return nil
    case .doubleAttributeType, .floatAttributeType, .decimalAttributeType:
      let value = SampleValues.make(attribute, number)
      guard let half = value as? NSNumber, attribute.validationPredicates.isEmpty else { return value }
      // What an Integer 16 can hold.
      let factor = Double(Int.random(in: -300...300, using: &random)) / 7
      if attribute.attributeType == .decimalAttributeType {
        return NSDecimalNumber(string: "\(Int(factor)).\(Int.random(in: 0...999, using: &random))")
      }
      return NSNumber(value: half.doubleValue * factor)
    default: return SampleValues.make(attribute, number)
    }
  }

  private static func relate(_ object: NSManagedObject, _ all: [NSManagedObject], _ random: inout SeededGenerator) {
    for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where !relationship.isTransient {
      guard let destination = relationship.destinationEntity else { continue }
      let candidates = all.filter { $0.entity.isKindOf(entity: destination) }
      if candidates.isEmpty { continue }
      if !relationship.isToMany {
        let isLeftOut = relationship.isOptional && Int.random(in: 0..<4, using: &random) == 0
        if !isLeftOut { object.setValue(candidates.randomElement(using: &random), forKey: name) }
        continue
      }
      let members = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
        candidates.randomElement(using: &random)
      }
      if relationship.isOrdered {
        let known = object.value(forKey: name) as? NSOrderedSet ?? NSOrderedSet()
        object.setValue(NSOrderedSet(array: known.array + members), forKey: name)
      } else {
        let known = object.value(forKey: name) as? NSSet ?? NSSet()
        object.setValue(NSSet(array: known.allObjects + members), forKey: name)
      }
    }
  }
}
