import CoreData
import Foundation

/// The versions of a model of items on shelves, and the objects of a store of the first version.
enum WorkerModel {
  static let versions = 3
  static let count = 8
  static let all: [NSManagedObjectModel] = (0..<versions).map(make)

  /// Makes a version of the model. The second version renames an attribute and adds one; the third adds another one.
  private static func make(_ version: Int) -> NSManagedObjectModel {
    let item = NSEntityDescription(), shelf = NSEntityDescription()
    item.name = "Item"
    shelf.name = "Shelf"
    let title = attribute(version == 0 ? "title" : "headline", .stringAttributeType)
    title.renamingIdentifier = "title"
    let photo = attribute("photo", .binaryDataAttributeType)
    photo.allowsExternalBinaryDataStorage = true
    let there = NSRelationshipDescription(), back = NSRelationshipDescription()
    (there.name, there.destinationEntity, there.maxCount, there.isOptional) = ("shelf", shelf, 1, true)
    (back.name, back.destinationEntity, back.maxCount, back.isOptional) = ("items", item, 0, true)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    item.properties = [attribute("number", .integer64AttributeType), title, photo, there]
    if version > 0 { item.properties.append(attribute("note", .stringAttributeType)) }
    if version > 1 {
      let more = attribute("more", .integer16AttributeType)
      more.defaultValue = 3
      item.properties.append(more)
    }
    shelf.properties = [attribute("name", .stringAttributeType), back]
    let model = NSManagedObjectModel()
    model.entities = [item, shelf]
    return model
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  /// Returns a value that is large enough to be kept in a file of its own.
  static func photo(_ number: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: number), count: 110_000 + number)
  }

  /// Makes a store of the first version with a few objects, in two saves.
  static func fill(_ store: StorePlace, names: String = "title") throws {
    try store.withContext(version: 0) { context in
      let shelves = (0..<2).map { insert("Shelf", ["name": "shelf \($0)"], context) }
      try context.save()
      for number in 0..<count {
        insert(
          "Item",
          [
            "number": number, "title": "\(names) \(number)", "shelf": shelves[number % 2],
            "photo": number % 4 == 0 ? photo(number) : nil,
          ], context)
      }
      try context.save()
    }
  }

  @discardableResult
  static func insert(_ entity: String, _ values: [String: Any?], _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for case (let key, let value?) in values { object.setValue(value, forKey: key) }
    return object
  }

  static func items(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try context.fetch(request)
  }
}
