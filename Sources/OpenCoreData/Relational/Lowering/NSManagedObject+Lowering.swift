import Foundation
import OpenCocoaFoundation

// Objects and their IDs as constants of predicates.
extension NSManagedObject: SQLObjectReference {
  package var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? {
    (key, entity, key <= 0)
  }
}

extension NSManagedObjectID: SQLObjectReference {
  package var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? {
    (key, entity, key <= 0)
  }
}

extension NSManagedObject: PredicateIdentity {
  package var predicateIdentity: NSObject { objectID }

  package var isIdentityLasting: Bool { key > 0 }
}
