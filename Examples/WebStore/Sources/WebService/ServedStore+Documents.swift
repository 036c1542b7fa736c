import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

// Objects as the documents that go over the wire.
extension ServedStore {
  /// - Parameter lists: the to-many relationships whose members are listed.
  func document(_ object: NSManagedObject, _ lists: Set<String> = []) throws -> Document {
    // A fault has no version yet.
    object.willAccessValue(forKey: nil)
    var document = Document(id: Self.name(object.objectID), version: object.rowVersion)
    for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
      let value = object.value(forKey: name)
      if value != nil { document.values[name] = try AttributeCoding.json(value, of: attribute) }
    }
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
      if relationship.isToMany {
        guard lists.contains(name) else { continue }
        document.many = (document.many ?? [:]).merging(
          [name: Self.members(of: object, relationship).map { Self.name($0.objectID) }]
        ) { $1 }
      } else if let member = object.value(forKey: name) as? NSManagedObject {
        document.one[name] = Self.name(member.objectID)
      }
    }
    return document
  }
}
