import Foundation

extension CocoaError.Code {
  /// A predicate or other rule of the model does not hold for a value.
  public static var managedObjectValidation: CocoaError.Code { Self(rawValue: NSManagedObjectValidationError) }
  /// Several validation errors at once; the single ones are under `NSDetailedErrorsKey`.
  public static var validationMultipleErrors: CocoaError.Code { Self(rawValue: NSValidationMultipleErrorsError) }
  /// A property that is not optional has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    Self(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// A to-many relationship has too few members.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    Self(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }
  /// A to-many relationship has too many members.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    Self(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }
  /// A relationship with the delete rule deny still has members.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    Self(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// A number is above the attribute's maximum.
  public static var validationNumberTooLarge: CocoaError.Code { Self(rawValue: NSValidationNumberTooLargeError) }
  /// A number is below the attribute's minimum.
  public static var validationNumberTooSmall: CocoaError.Code { Self(rawValue: NSValidationNumberTooSmallError) }
  /// A date is after the attribute's latest date.
  public static var validationDateTooLate: CocoaError.Code { Self(rawValue: NSValidationDateTooLateError) }
  /// A date is before the attribute's earliest date.
  public static var validationDateTooSoon: CocoaError.Code { Self(rawValue: NSValidationDateTooSoonError) }
  /// A date is not a number.
  public static var validationInvalidDate: CocoaError.Code { Self(rawValue: NSValidationInvalidDateError) }
  /// A string is longer than the attribute allows.
  public static var validationStringTooLong: CocoaError.Code { Self(rawValue: NSValidationStringTooLongError) }
  /// A string is shorter than the attribute demands.
  public static var validationStringTooShort: CocoaError.Code { Self(rawValue: NSValidationStringTooShortError) }
  /// A string does not match the attribute's regular expression.
  public static var validationStringPatternMatching: CocoaError.Code {
    Self(rawValue: NSValidationStringPatternMatchingError)
  }
}

extension CocoaError {
  /// A predicate or other rule of the model does not hold for a value.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// Several validation errors at once; the single ones are under `NSDetailedErrorsKey`.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// A property that is not optional has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
  /// A to-many relationship has too few members.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// A to-many relationship has too many members.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// A relationship with the delete rule deny still has members.
  public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// A number is above the attribute's maximum.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// A number is below the attribute's minimum.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// A date is after the attribute's latest date.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// A date is before the attribute's earliest date.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// A date is not a number.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// A string is longer than the attribute allows.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// A string is shorter than the attribute demands.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// A string does not match the attribute's regular expression.
  public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
}
