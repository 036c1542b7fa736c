// Apple's keys of an error's userInfo.

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
/// In an error's userInfo: the stores that an operation failed for.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// In a merge error's userInfo: the conflicts.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
