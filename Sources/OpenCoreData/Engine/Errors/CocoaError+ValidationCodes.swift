import Foundation

extension CocoaError.Code {
  /// 1550: a value has the wrong type or breaks a rule of the model that has no code of its own, such as a predicate of
  /// the attribute; also for a key from outside that an entity does not have.
  ///
  /// The userInfo has object, key, value and predicate.
  public static var managedObjectValidation: CocoaError.Code { Self(rawValue: NSManagedObjectValidationError) }
  /// 1560: several validation errors at once.
  ///
  /// The single errors are under `NSDetailedErrorsKey`; if there is only one error, it is thrown directly.
  public static var validationMultipleErrors: CocoaError.Code { Self(rawValue: NSValidationMultipleErrorsError) }
  /// 1570: a property that is not optional has no value.
  ///
  /// Thrown by saves and batch inserts; `NSValidationKeyErrorKey` names the property.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    Self(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// 1580: a to-many relationship has fewer members than its `minCount`.
  ///
  /// An optional relationship may be empty (D-OBJ-13).
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    Self(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }
  /// 1590: a to-many relationship has more members than its `maxCount`.
  ///
  /// Checked only if the members were changed.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    Self(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }
  /// 1600: a relationship with the delete rule deny still has members.
  ///
  /// Thrown by the save or the batch delete, not by `delete(_:)`; `rollback()` undoes the deletion.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    Self(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// 1610: a number is above the attribute's maximum.
  ///
  /// The userInfo has object, key and value.
  public static var validationNumberTooLarge: CocoaError.Code { Self(rawValue: NSValidationNumberTooLargeError) }
  /// 1620: a number is below the attribute's minimum.
  ///
  /// The userInfo has object, key and value.
  public static var validationNumberTooSmall: CocoaError.Code { Self(rawValue: NSValidationNumberTooSmallError) }
  /// 1630: a date is after the attribute's latest date.
  ///
  /// The userInfo has object, key and value.
  public static var validationDateTooLate: CocoaError.Code { Self(rawValue: NSValidationDateTooLateError) }
  /// 1640: a date is before the attribute's earliest date.
  ///
  /// The userInfo has object, key and value.
  public static var validationDateTooSoon: CocoaError.Code { Self(rawValue: NSValidationDateTooSoonError) }
  /// 1650: a date is not a number (NaN).
  ///
  /// Thrown by saves and batch inserts.
  public static var validationInvalidDate: CocoaError.Code { Self(rawValue: NSValidationInvalidDateError) }
  /// 1660: a string is longer than the attribute allows.
  ///
  /// The userInfo has object, key and value.
  public static var validationStringTooLong: CocoaError.Code { Self(rawValue: NSValidationStringTooLongError) }
  /// 1670: a string is shorter than the attribute demands.
  ///
  /// The userInfo has object, key and value.
  public static var validationStringTooShort: CocoaError.Code { Self(rawValue: NSValidationStringTooShortError) }
  /// 1680: a string does not match the attribute's regular expression.
  ///
  /// The whole string has to match.
  public static var validationStringPatternMatching: CocoaError.Code {
    Self(rawValue: NSValidationStringPatternMatchingError)
  }
}

extension CocoaError {
  /// 1550: a value has the wrong type or breaks a rule of the model that has no code of its own, such as a predicate of
  /// the attribute; also for a key from outside that an entity does not have.
  ///
  /// The userInfo has object, key, value and predicate.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// 1560: several validation errors at once.
  ///
  /// The single errors are under `NSDetailedErrorsKey`; if there is only one error, it is thrown directly.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// 1570: a property that is not optional has no value.
  ///
  /// Thrown by saves and batch inserts; `NSValidationKeyErrorKey` names the property.
  public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
  /// 1580: a to-many relationship has fewer members than its `minCount`.
  ///
  /// An optional relationship may be empty (D-OBJ-13).
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// 1590: a to-many relationship has more members than its `maxCount`.
  ///
  /// Checked only if the members were changed.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// 1600: a relationship with the delete rule deny still has members.
  ///
  /// Thrown by the save or the batch delete, not by `delete(_:)`; `rollback()` undoes the deletion.
  public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// 1610: a number is above the attribute's maximum.
  ///
  /// The userInfo has object, key and value.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// 1620: a number is below the attribute's minimum.
  ///
  /// The userInfo has object, key and value.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// 1630: a date is after the attribute's latest date.
  ///
  /// The userInfo has object, key and value.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// 1640: a date is before the attribute's earliest date.
  ///
  /// The userInfo has object, key and value.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// 1650: a date is not a number (NaN).
  ///
  /// Thrown by saves and batch inserts.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// 1660: a string is longer than the attribute allows.
  ///
  /// The userInfo has object, key and value.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// 1670: a string is shorter than the attribute demands.
  ///
  /// The userInfo has object, key and value.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// 1680: a string does not match the attribute's regular expression.
  ///
  /// The whole string has to match.
  public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
}
