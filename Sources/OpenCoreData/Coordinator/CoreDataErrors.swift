import Foundation

// Apple's error codes in NSCocoaErrorDomain that this module throws. Each keeps Apple's name and number.

/// A predicate or other rule of the model does not hold for a value.
public let NSManagedObjectValidationError = 1550
/// Several validation errors at once; the single ones are under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// A property that is not optional has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has too few members.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has too many members.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A relationship with the delete rule deny still has members.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above the attribute's maximum.
public let NSValidationNumberTooLargeError = 1610
/// A number is below the attribute's minimum.
public let NSValidationNumberTooSmallError = 1620
/// A date is after the attribute's latest date.
public let NSValidationDateTooLateError = 1630
/// A date is before the attribute's earliest date.
public let NSValidationDateTooSoonError = 1640
/// A string is longer than the attribute allows.
public let NSValidationStringTooLongError = 1660
/// A string is shorter than the attribute demands.
public let NSValidationStringTooShortError = 1670
/// A string does not match the attribute's regular expression.
public let NSValidationStringPatternMatchingError = 1680
/// An object that the store does not hold was asked for.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship leads to an object of another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// Rows were changed by somebody else since they were read.
public let NSManagedObjectMergeError = 133020
/// A uniqueness constraint would be violated.
public let NSManagedObjectConstraintMergeError = 133021
/// The kind of store is not known.
public let NSPersistentStoreInvalidTypeError = 134000
/// What was to be saved is in conflict with what others have saved.
public let NSPersistentStoreSaveConflictsError = 134050
/// Something that a store was asked to do failed.
public let NSPersistentStoreOperationError = 134070
/// Something about opening the store failed.
public let NSPersistentStoreOpenError = 134080
/// The store stayed locked past the timeout.
public let NSPersistentStoreTimeoutError = 134090
/// The store does not support the request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The store was written with another model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// The model that a store was made with is not to be found.
public let NSMigrationMissingSourceModelError = 134130
/// A general Core Data error.
public let NSCoreDataError = 134060
/// A general SQLite error.
public let NSSQLiteError = 134180

/// In an error's userInfo: the property that did not validate.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// In an error's userInfo: the object that did not validate.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// In an error's userInfo: the value that did not validate.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// In an error's userInfo: the predicate that a value did not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// In an error's userInfo: the single errors of a compound one.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// In an error's userInfo: the objects that a store operation failed for.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// In a merge error's userInfo: the conflicts.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

extension NSError {
  /// An error of Apple's domain with a text for people.
  convenience init(coreData code: Int, _ description: String, _ userInfo: [String: Any] = [:]) {
    var userInfo = userInfo
    userInfo[NSLocalizedDescriptionKey] = description
    // What Foundation on Linux prints of an error; without it that begins with "(null)".
    if userInfo[NSLocalizedFailureReasonErrorKey] == nil { userInfo[NSLocalizedFailureReasonErrorKey] = description }
    self.init(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }
}
