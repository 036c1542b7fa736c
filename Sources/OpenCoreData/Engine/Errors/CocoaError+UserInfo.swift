import Foundation
import OpenCocoaFoundation

// Core Data's entries of an error's userInfo, with their types.
extension CocoaError {
  /// The object that did not validate.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

  /// The property that did not validate.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

  /// The value that did not validate.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

  /// The predicate that the value did not satisfy.
  public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

  /// The objects that an operation failed for.
  public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

  /// The stores that an operation failed for.
  public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
}
