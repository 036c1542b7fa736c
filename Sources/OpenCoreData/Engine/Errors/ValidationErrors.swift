// Apple's codes in NSCocoaErrorDomain for values that break a rule of the model.

/// A predicate or other rule of the model does not hold for a value.
public let NSManagedObjectValidationError = 1550
/// A uniqueness constraint of the entity does not hold for an object.
public let NSManagedObjectConstraintValidationError = 1551
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
/// A date is not a number.
public let NSValidationInvalidDateError = 1650
/// A string is longer than the attribute allows.
public let NSValidationStringTooLongError = 1660
/// A string is shorter than the attribute demands.
public let NSValidationStringTooShortError = 1670
/// A string does not match the attribute's regular expression.
public let NSValidationStringPatternMatchingError = 1680
/// A URI is none.
public let NSValidationInvalidURIError = 1690
