// Apple's codes in NSCocoaErrorDomain for values that break a rule of the model.

/// 1550: a value has the wrong type or breaks a rule of the model that has no code of its own, such as a predicate of
/// the attribute; also for a key from outside that an entity does not have.
///
/// The userInfo has object, key, value and predicate.
public let NSManagedObjectValidationError = 1550
/// 1551: a uniqueness constraint does not hold.
///
/// Never thrown here: a save reports the violation as 133021.
public let NSManagedObjectConstraintValidationError = 1551
/// 1560: several validation errors at once.
///
/// The single errors are under `NSDetailedErrorsKey`; if there is only one error, it is thrown directly.
public let NSValidationMultipleErrorsError = 1560
/// 1570: a property that is not optional has no value.
///
/// Thrown by saves and batch inserts; `NSValidationKeyErrorKey` names the property.
public let NSValidationMissingMandatoryPropertyError = 1570
/// 1580: a to-many relationship has fewer members than its `minCount`.
///
/// An optional relationship may be empty (D-OBJ-13).
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// 1590: a to-many relationship has more members than its `maxCount`.
///
/// Checked only if the members were changed.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// 1600: a relationship with the delete rule deny still has members.
///
/// Thrown by the save or the batch delete, not by `delete(_:)`; `rollback()` undoes the deletion.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// 1610: a number is above the attribute's maximum.
///
/// The userInfo has object, key and value.
public let NSValidationNumberTooLargeError = 1610
/// 1620: a number is below the attribute's minimum.
///
/// The userInfo has object, key and value.
public let NSValidationNumberTooSmallError = 1620
/// 1630: a date is after the attribute's latest date.
///
/// The userInfo has object, key and value.
public let NSValidationDateTooLateError = 1630
/// 1640: a date is before the attribute's earliest date.
///
/// The userInfo has object, key and value.
public let NSValidationDateTooSoonError = 1640
/// 1650: a date is not a number (NaN).
///
/// Thrown by saves and batch inserts.
public let NSValidationInvalidDateError = 1650
/// 1660: a string is longer than the attribute allows.
///
/// The userInfo has object, key and value.
public let NSValidationStringTooLongError = 1660
/// 1670: a string is shorter than the attribute demands.
///
/// The userInfo has object, key and value.
public let NSValidationStringTooShortError = 1670
/// 1680: a string does not match the attribute's regular expression.
///
/// The whole string has to match.
public let NSValidationStringPatternMatchingError = 1680
/// 1690: a value is not a valid URI.
///
/// Never thrown here: an attribute for URIs takes URLs, and a value of another type stops the program or gives 1550.
public let NSValidationInvalidURIError = 1690
