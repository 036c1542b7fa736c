import Foundation
import OpenCocoaFoundation

/// The primary keys of managed objects, or of their IDs, in a constant collection. They are taken out in one pass, without a
/// cast for elements of the same class as the element before.
package struct ObjectKeys {
  private let root: Int
  private let model: SQLModel
  private var keys: [Int64] = []
  /// The class of the last element, and whether it is a class of objects or of IDs.
  private var lastClass: Any.Type?
  private var isObject = false
  /// The entity of the last element, and whether its rows are in the table of the query.
  private var lastEntity: ObjectIdentifier?
  private var isOfTable = false

  private init(root: Int, model: SQLModel) {
    self.root = root
    self.model = model
  }

  /// Nil if an element is neither an object nor an ID. Objects without a row in the table are left out, since no row is one
  /// of them.
  package static func keys(of collection: Any?, root: Int, model: SQLModel) -> [Int64]? {
    guard let elements = elements(of: collection) else { return nil }
    var found = ObjectKeys(root: root, model: model)
    found.keys.reserveCapacity(elements.count)
    for element in elements where !found.take(element) { return nil }
    return found.keys
  }

  private mutating func take(_ element: Any) -> Bool {
    let type = type(of: element)
    if type != lastClass {
      if type is NSManagedObject.Type {
        isObject = true
      } else if type is NSManagedObjectID.Type {
        isObject = false
      } else {
        return false
      }
      lastClass = type
    }
    if isObject {
      ExactValue.object(element, as: NSManagedObject.self).read { add($0.key, $0.layout.entity) }
    } else {
      ExactValue.object(element, as: NSManagedObjectID.self).read { add($0.key, $0.entity) }
    }
    return true
  }

  private mutating func add(_ key: Int64, _ entity: NSEntityDescription) {
    guard key > 0 else { return }
    if lastEntity != ObjectIdentifier(entity) {
      lastEntity = ObjectIdentifier(entity)
      isOfTable = model.entity(for: entity)?.root.number == root
    }
    if isOfTable { keys.append(key) }
  }
}
