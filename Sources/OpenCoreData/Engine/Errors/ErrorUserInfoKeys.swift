// Apple's keys of an error's userInfo.

/// In an error's userInfo: the name of the property that did not validate.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// In an error's userInfo: the object that did not validate. It belongs to its context's queue.
///
/// ```swift
/// let entry = Entry(context: context)  // without a title
/// do { try context.save() } catch {
///   print((error as NSError).userInfo[NSValidationObjectErrorKey] as? NSManagedObject === entry)  // true
/// }
/// ```
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// In an error's userInfo: the value that did not validate.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// In an error's userInfo: the predicate that a value did not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// In the userInfo of a compound error, such as 1560: the array of the single errors.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// In an error's userInfo: the objects that a store operation failed for.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// In an error's userInfo: the stores that an operation failed for. No error of this framework has it.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// In the userInfo of 133020 and 133021: the array of `NSMergeConflict`s or `NSConstraintConflict`s.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
