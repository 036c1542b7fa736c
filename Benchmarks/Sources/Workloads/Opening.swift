import CoreData
import Foundation

/// Opens stores of 100 and of 1,000 entities, as new files and as existing files.
///
/// The model is a new one each time, because a program waits for the first store that is opened with a model. Before the
/// measurements, another store is opened, so that the figures do not contain a program's first use of the framework.
func runOpening(_ store: Store) throws {
  try store.remove(store.scratch)
  try Opened(store.scratch, OpeningModel.make(2)).close()
  for count in [100, 1000] {
    var model = NSManagedObjectModel()
    var opened: Opened?
    for (name, isNew) in [("new", true), ("existing", false)] {
      try measure(
        "open-\(count)-\(name)",
        prepare: {
          try opened?.close()
          if isNew { try store.remove(store.scratch) }
          model = OpeningModel.make(count)
        },
        answer: { try opened?.countAll(model) ?? 0 },
        work: {
          opened = try Opened(store.scratch, model)
          return count
        })
    }
    try opened?.close()
    try store.remove(store.scratch)
  }
  try runOpeningAgain(store)
}

/// A coordinator with one store.
private struct Opened {
  private let coordinator: NSPersistentStoreCoordinator

  init(_ url: URL, _ model: NSManagedObjectModel) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
  }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// Returns the number of entities whose objects the store can count; each count must be 0.
  func countAll(_ model: NSManagedObjectModel) throws -> Int {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      try model.entities.count { entity in
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")) == 0
      }
    }
  }
}

/// A model made in code.
enum OpeningModel {
  private static let types: [NSAttributeType] = [
    .stringAttributeType, .integer64AttributeType, .doubleAttributeType, .dateAttributeType, .booleanAttributeType,
  ]

  /// Makes a model with the given number of entities, each with five attributes and a relationship to its neighbour.
  static func make(_ count: Int) -> NSManagedObjectModel {
    let entities = (0..<count).map(entity)
    for first in stride(from: 0, to: count, by: 2) { relate(entities[first], entities[first + 1]) }
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  private static func entity(_ number: Int) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = "Entity\(number)"
    entity.properties = types.enumerated().map { place, type in
      let attribute = NSAttributeDescription()
      attribute.name = "attribute\(place)"
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  private static func relate(_ owner: NSEntityDescription, _ member: NSEntityDescription) {
    let members = NSRelationshipDescription(), back = NSRelationshipDescription()
    (members.name, members.destinationEntity, members.maxCount) = ("members", member, 0)
    (back.name, back.destinationEntity, back.maxCount) = ("owner", owner, 1)
    for relationship in [members, back] {
      relationship.isOptional = true
      relationship.deleteRule = .nullifyDeleteRule
    }
    owner.properties.append(members)
    member.properties.append(back)
    members.inverseRelationship = back
    back.inverseRelationship = members
  }
}
