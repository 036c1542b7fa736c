import Foundation
import OpenCocoaFoundation

// Objects and their IDs as constants of predicates.
extension NSManagedObject {
  package var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? {
    (key, entity, key <= 0)
  }

  package var predicateIdentity: NSObject { objectID }

  package var isIdentityLasting: Bool { key > 0 }
}

extension NSManagedObjectID {
  package var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? {
    (key, entity, key <= 0)
  }
}
