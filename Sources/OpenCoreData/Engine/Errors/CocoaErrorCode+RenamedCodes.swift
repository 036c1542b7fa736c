import Foundation

// Names that these codes had in Swift 3, which Apple's framework still declares.

extension CocoaError.Code {
  /// The former name of `managedObjectValidation`, 1550: a value has the wrong type or breaks a rule of the model that
  /// has no code of its own, such as a predicate of the attribute; also for a key from outside that an entity does not
  /// have.
  @available(*, deprecated, renamed: "managedObjectValidation")
  public static var managedObjectValidationError: CocoaError.Code { .managedObjectValidation }
  /// The former name of `validationMultipleErrors`, 1560: several validation errors at once.
  @available(*, deprecated, renamed: "validationMultipleErrors")
  public static var validationMultipleErrorsError: CocoaError.Code { .validationMultipleErrors }
  /// The former name of `validationMissingMandatoryProperty`, 1570: a property that is not optional has no value.
  @available(*, deprecated, renamed: "validationMissingMandatoryProperty")
  public static var validationMissingMandatoryPropertyError: CocoaError.Code { .validationMissingMandatoryProperty }
  /// The former name of `validationRelationshipLacksMinimumCount`, 1580: a to-many relationship has fewer members than
  /// its `minCount`.
  @available(*, deprecated, renamed: "validationRelationshipLacksMinimumCount")
  public static var validationRelationshipLacksMinimumCountError: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// The former name of `validationRelationshipExceedsMaximumCount`, 1590: a to-many relationship has more members than
  /// its `maxCount`.
  @available(*, deprecated, renamed: "validationRelationshipExceedsMaximumCount")
  public static var validationRelationshipExceedsMaximumCountError: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// The former name of `validationRelationshipDeniedDelete`, 1600: a relationship with the delete rule deny still has
  /// members.
  @available(*, deprecated, renamed: "validationRelationshipDeniedDelete")
  public static var validationRelationshipDeniedDeleteError: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// The former name of `validationNumberTooLarge`, 1610: a number is above the attribute's maximum.
  @available(*, deprecated, renamed: "validationNumberTooLarge")
  public static var validationNumberTooLargeError: CocoaError.Code { .validationNumberTooLarge }
  /// The former name of `validationNumberTooSmall`, 1620: a number is below the attribute's minimum.
  @available(*, deprecated, renamed: "validationNumberTooSmall")
  public static var validationNumberTooSmallError: CocoaError.Code { .validationNumberTooSmall }
  /// The former name of `validationDateTooLate`, 1630: a date is after the attribute's latest date.
  @available(*, deprecated, renamed: "validationDateTooLate")
  public static var validationDateTooLateError: CocoaError.Code { .validationDateTooLate }
  /// The former name of `validationDateTooSoon`, 1640: a date is before the attribute's earliest date.
  @available(*, deprecated, renamed: "validationDateTooSoon")
  public static var validationDateTooSoonError: CocoaError.Code { .validationDateTooSoon }
  /// The former name of `validationInvalidDate`, 1650: a date is not a number (NaN).
  @available(*, deprecated, renamed: "validationInvalidDate")
  public static var validationInvalidDateError: CocoaError.Code { .validationInvalidDate }
  /// The former name of `validationStringTooLong`, 1660: a string is longer than the attribute allows.
  @available(*, deprecated, renamed: "validationStringTooLong")
  public static var validationStringTooLongError: CocoaError.Code { .validationStringTooLong }
  /// The former name of `validationStringTooShort`, 1670: a string is shorter than the attribute demands.
  @available(*, deprecated, renamed: "validationStringTooShort")
  public static var validationStringTooShortError: CocoaError.Code { .validationStringTooShort }
  /// The former name of `validationStringPatternMatching`, 1680: a string does not match the attribute's regular
  /// expression.
  @available(*, deprecated, renamed: "validationStringPatternMatching")
  public static var validationStringPatternMatchingError: CocoaError.Code { .validationStringPatternMatching }
  /// The former name of `managedObjectContextLocking`, 132000: a context's lock could not be taken.
  @available(*, deprecated, renamed: "managedObjectContextLocking")
  public static var managedObjectContextLockingError: CocoaError.Code { .managedObjectContextLocking }
  /// The former name of `persistentStoreCoordinatorLocking`, 132010: a coordinator's lock could not be taken.
  @available(*, deprecated, renamed: "persistentStoreCoordinatorLocking")
  public static var persistentStoreCoordinatorLockingError: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// The former name of `managedObjectReferentialIntegrity`, 133000: an object was requested that the store does not
  /// contain.
  @available(*, deprecated, renamed: "managedObjectReferentialIntegrity")
  public static var managedObjectReferentialIntegrityError: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// The former name of `managedObjectExternalRelationship`, 133010: a relationship leads to an object of another
  /// store.
  @available(*, deprecated, renamed: "managedObjectExternalRelationship")
  public static var managedObjectExternalRelationshipError: CocoaError.Code { .managedObjectExternalRelationship }
  /// The former name of `managedObjectMerge`, 133020: others have changed or deleted rows since the context read them,
  /// and its merge policy does not resolve the conflict.
  @available(*, deprecated, renamed: "managedObjectMerge")
  public static var managedObjectMergeError: CocoaError.Code { .managedObjectMerge }
  /// The former name of `managedObjectConstraintMerge`, 133021: another row already has values that must be unique, and
  /// the merge policy does not resolve the conflict.
  @available(*, deprecated, renamed: "managedObjectConstraintMerge")
  public static var managedObjectConstraintMergeError: CocoaError.Code { .managedObjectConstraintMerge }
  /// The former name of `persistentStoreInvalidType`, 134000: no class is registered for the type of store.
  @available(*, deprecated, renamed: "persistentStoreInvalidType")
  public static var persistentStoreInvalidTypeError: CocoaError.Code { .persistentStoreInvalidType }
  /// The former name of `persistentStoreTypeMismatch`, 134010: the store at that place is of another kind.
  @available(*, deprecated, renamed: "persistentStoreTypeMismatch")
  public static var persistentStoreTypeMismatchError: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The former name of `persistentStoreIncompatibleSchema`, 134020: the model contradicts itself, or the store cannot
  /// hold it.
  @available(*, deprecated, renamed: "persistentStoreIncompatibleSchema")
  public static var persistentStoreIncompatibleSchemaError: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// The former name of `persistentStoreSave`, 134030: a save or a batch request failed for a reason in the store.
  @available(*, deprecated, renamed: "persistentStoreSave")
  public static var persistentStoreSaveError: CocoaError.Code { .persistentStoreSave }
  /// The former name of `persistentStoreIncompleteSave`, 134040: some of several stores were saved, and others were
  /// not.
  @available(*, deprecated, renamed: "persistentStoreIncompleteSave")
  public static var persistentStoreIncompleteSaveError: CocoaError.Code { .persistentStoreIncompleteSave }
  /// The former name of `persistentStoreSaveConflicts`, 134050: the file of an XML or binary store was written by
  /// somebody else since it was read.
  @available(*, deprecated, renamed: "persistentStoreSaveConflicts")
  public static var persistentStoreSaveConflictsError: CocoaError.Code { .persistentStoreSaveConflicts }
  /// The former name of `coreData`, 134060: a request does not fit the model or cannot be executed: an unknown key, a
  /// predicate that SQL cannot express, a context without stores.
  @available(*, deprecated, renamed: "coreData")
  public static var coreDataError: CocoaError.Code { .coreData }
  /// The former name of `persistentStoreOperation`, 134070: a store cannot carry out an operation: for example, it
  /// cannot be destroyed as a file, or its query generation has expired.
  @available(*, deprecated, renamed: "persistentStoreOperation")
  public static var persistentStoreOperationError: CocoaError.Code { .persistentStoreOperation }
  /// The former name of `persistentStoreOpen`, 134080: a store cannot be opened as requested: it is open already, an
  /// option has a wrong value, or the configuration does not exist.
  @available(*, deprecated, renamed: "persistentStoreOpen")
  public static var persistentStoreOpenError: CocoaError.Code { .persistentStoreOpen }
  /// The former name of `persistentStoreTimeout`, 134090: others kept the store locked for longer than
  /// `NSPersistentStoreTimeoutOption`, 240 seconds by default.
  @available(*, deprecated, renamed: "persistentStoreTimeout")
  public static var persistentStoreTimeoutError: CocoaError.Code { .persistentStoreTimeout }
  /// The former name of `persistentStoreUnsupportedRequestType`, 134091: the store does not support requests of that
  /// kind, such as batch requests in memory, or history requests if no history is tracked.
  @available(*, deprecated, renamed: "persistentStoreUnsupportedRequestType")
  public static var persistentStoreUnsupportedRequestTypeError: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// The former name of `persistentStoreIncompatibleVersionHash`, 134100: the store was written with another version of
  /// the model.
  @available(*, deprecated, renamed: "persistentStoreIncompatibleVersionHash")
  public static var persistentStoreIncompatibleVersionHashError: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// The former name of `migration`, 134110: a migration failed.
  @available(*, deprecated, renamed: "migration")
  public static var migrationError: CocoaError.Code { .migration }
  /// The former name of `migrationCancelled`, 134120: a migration was cancelled.
  @available(*, deprecated, renamed: "migrationCancelled")
  public static var migrationCancelledError: CocoaError.Code { .migrationCancelled }
  /// The former name of `migrationMissingSourceModel`, 134130: the model that a store was made with is found neither in
  /// the bundles nor in the store.
  @available(*, deprecated, renamed: "migrationMissingSourceModel")
  public static var migrationMissingSourceModelError: CocoaError.Code { .migrationMissingSourceModel }
  /// The former name of `migrationMissingMappingModel`, 134140: there is no mapping model from the store's version to
  /// the wanted one, and none can be inferred.
  @available(*, deprecated, renamed: "migrationMissingMappingModel")
  public static var migrationMissingMappingModelError: CocoaError.Code { .migrationMissingMappingModel }
  /// The former name of `migrationManagerSourceStore`, 134150: the store to migrate from cannot be read.
  @available(*, deprecated, renamed: "migrationManagerSourceStore")
  public static var migrationManagerSourceStoreError: CocoaError.Code { .migrationManagerSourceStore }
  /// The former name of `migrationManagerDestinationStore`, 134160: the store to migrate to cannot be written, for
  /// example because the disk is full.
  @available(*, deprecated, renamed: "migrationManagerDestinationStore")
  public static var migrationManagerDestinationStoreError: CocoaError.Code { .migrationManagerDestinationStore }
  /// The former name of `entityMigrationPolicy`, 134170: a migration policy has thrown.
  @available(*, deprecated, renamed: "entityMigrationPolicy")
  public static var entityMigrationPolicyError: CocoaError.Code { .entityMigrationPolicy }
  /// The former name of `sqlite`, 134180: SQLite failed in a way that has no other code.
  @available(*, deprecated, renamed: "sqlite")
  public static var sqliteError: CocoaError.Code { .sqlite }
  /// The former name of `inferredMappingModel`, 134190: the mapping from one version to the other cannot be inferred.
  @available(*, deprecated, renamed: "inferredMappingModel")
  public static var inferredMappingModelError: CocoaError.Code { .inferredMappingModel }
  /// The former name of `externalRecordImport`, 134200: records for Spotlight could not be imported.
  @available(*, deprecated, renamed: "externalRecordImport")
  public static var externalRecordImportError: CocoaError.Code { .externalRecordImport }
}
