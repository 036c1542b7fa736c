import Foundation

/// The entities of fetch requests for history.
package enum HistoryDescriptions {
  package static let transaction = entity(
    "TRANSACTION",
    [
      ("author", .stringAttributeType), ("bundleID", .stringAttributeType), ("contextName", .stringAttributeType),
      ("processID", .stringAttributeType), ("timestamp", .dateAttributeType), ("token", .undefinedAttributeType),
      ("transactionNumber", .integer64AttributeType),
    ])

  package static let change = entity(
    "CHANGE",
    [
      ("changeID", .integer64AttributeType), ("changeType", .integer16AttributeType),
      ("changedEntity", .undefinedAttributeType), ("changedObjectID", .objectIDAttributeType),
    ])

  private static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    model.entities = [transaction, change]
    model.freeze()
    return model
  }()

  private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    return entity
  }

  package static func frozen(_ entity: NSEntityDescription) -> NSEntityDescription {
    _ = model
    return entity
  }
}

extension NSPersistentHistoryTransaction {
  /// Describes the keys of transactions that predicates and sort descriptors may name.
  public class var entityDescription: NSEntityDescription? {
    HistoryDescriptions.frozen(HistoryDescriptions.transaction)
  }

  /// The same description for every context.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    entityDescription
  }

  /// A new fetch request for transactions.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entityDescription
    return request
  }
}

extension NSPersistentHistoryChange {
  /// Describes the keys of changes that predicates and sort descriptors may name.
  public class var entityDescription: NSEntityDescription? { HistoryDescriptions.frozen(HistoryDescriptions.change) }

  /// The same description for every context.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    entityDescription
  }

  /// A new fetch request for changes.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entityDescription
    return request
  }
}
