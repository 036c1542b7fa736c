import CoreData
import Foundation

/// A store with a model that is made in code, and a context.
final class ModelStack {
  let container: NSPersistentContainer
  var context: NSManagedObjectContext { container.viewContext }
  var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

  /// Opens a store, and makes it if it does not exist.
  convenience init(url: URL, _ entities: [NSEntityDescription], tracksHistory: Bool = false) throws {
    let model = NSManagedObjectModel()
    model.entities = entities
    try self.init(url: url, model, tracksHistory: tracksHistory)
  }

  init(url: URL, _ model: NSManagedObjectModel, tracksHistory: Bool = false) throws {
    container = NSPersistentContainer(name: "Everyday", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    if tracksHistory { description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey) }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Closes the store, so that its file can be moved or removed.
  func close() throws {
    context.reset()
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}

extension NSEntityDescription {
  /// Makes an entity with optional attributes, and an index for each of some of them.
  static func make(
    _ name: String, _ attributes: KeyValuePairs<String, NSAttributeType>, indexed: [String] = []
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    entity.indexes = indexed.compactMap { entity.attributesByName[$0] }.map { attribute in
      NSFetchIndexDescription(
        name: "by\(attribute.name.capitalized)",
        elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)])
    }
    return entity
  }

  /// Relates each object of this entity to one object of another entity, which has many of this entity.
  func belongs(to owner: NSEntityDescription, as name: String, inverse: String) {
    let (one, many) = (NSRelationshipDescription(), NSRelationshipDescription())
    (one.name, one.destinationEntity, one.maxCount) = (name, owner, 1)
    (many.name, many.destinationEntity, many.maxCount) = (inverse, self, 0)
    for relationship in [one, many] {
      relationship.isOptional = true
      relationship.deleteRule = .nullifyDeleteRule
    }
    properties.append(one)
    owner.properties.append(many)
    (one.inverseRelationship, many.inverseRelationship) = (many, one)
  }
}

extension NSManagedObjectContext {
  /// Inserts an object of an entity, which is found by its name.
  func insert(_ entity: String) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
  }
}
