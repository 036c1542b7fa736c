import Foundation
import OpenCocoaFoundation

/// Key-value coding for predicates on object IDs, as `objectID.isTemporaryID == NO`.
extension NSManagedObjectID {
  /// The value of a property by name.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "entity": entity
    case "isTemporaryID", "temporaryID": NSNumber(value: isTemporaryID)
    case "persistentStore": persistentStore
    case "URIRepresentation": uriRepresentation()
    default: value(forUndefinedKey: key)
    }
  }

  /// Stops the program, since an identifier never changes.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
