import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension NSManagedObject {
  /// The condition that an object is of a subclass: its entity is one of those whose class is that subclass or one below it.
  package class func condition(that object: NSExpression, isOf type: Any.Type) -> NSPredicate? {
    guard let type = type as? NSManagedObject.Type, let entity = ModelRegistry.entity(for: type) else { return nil }
    var entities = [entity], place = 0
    while place < entities.count {
      entities += entities[place].subentities
      place += 1
    }
    return NSComparisonPredicate(
      leftExpression: object.appending("entity"), rightExpression: NSExpression(forConstantValue: entities),
      modifier: .direct, type: .in, options: [])
  }
}
