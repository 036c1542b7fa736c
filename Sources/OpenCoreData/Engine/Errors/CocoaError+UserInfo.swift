import Foundation
import OpenCocoaFoundation

// Core Data's entries of an error's userInfo, with their types.
extension CocoaError {
  /// The object that did not validate; nil for errors that concern no object.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

  /// The name of the property that did not validate.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

  /// The value that did not validate, as it was set; nil for a missing value.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

  /// The predicate of the model that the value did not satisfy; nil for rules that have no predicate.
  public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

  /// The objects that an operation failed for, such as the objects of a save whose values cannot be archived.
  public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

  /// The stores that an operation failed for. No error of this framework names any.
  public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
}
