import CoreData
import Testing

/// Apple's numbers, as code compares with them.
@Suite struct ErrorCodeTests {
  private static let codes: [(number: Int, constant: Int, code: CocoaError.Code, ofError: CocoaError.Code)] = [
    (1550, NSManagedObjectValidationError, .managedObjectValidation, CocoaError.managedObjectValidation),
    (1560, NSValidationMultipleErrorsError, .validationMultipleErrors, CocoaError.validationMultipleErrors),
    (
      1570, NSValidationMissingMandatoryPropertyError, .validationMissingMandatoryProperty,
      CocoaError.validationMissingMandatoryProperty
    ),
    (
      1580, NSValidationRelationshipLacksMinimumCountError, .validationRelationshipLacksMinimumCount,
      CocoaError.validationRelationshipLacksMinimumCount
    ),
    (
      1590, NSValidationRelationshipExceedsMaximumCountError, .validationRelationshipExceedsMaximumCount,
      CocoaError.validationRelationshipExceedsMaximumCount
    ),
    (
      1600, NSValidationRelationshipDeniedDeleteError, .validationRelationshipDeniedDelete,
      CocoaError.validationRelationshipDeniedDelete
    ),
    (1610, NSValidationNumberTooLargeError, .validationNumberTooLarge, CocoaError.validationNumberTooLarge),
    (1620, NSValidationNumberTooSmallError, .validationNumberTooSmall, CocoaError.validationNumberTooSmall),
    (1630, NSValidationDateTooLateError, .validationDateTooLate, CocoaError.validationDateTooLate),
    (1640, NSValidationDateTooSoonError, .validationDateTooSoon, CocoaError.validationDateTooSoon),
    (1650, NSValidationInvalidDateError, .validationInvalidDate, CocoaError.validationInvalidDate),
    (1660, NSValidationStringTooLongError, .validationStringTooLong, CocoaError.validationStringTooLong),
    (1670, NSValidationStringTooShortError, .validationStringTooShort, CocoaError.validationStringTooShort),
    (
      1680, NSValidationStringPatternMatchingError, .validationStringPatternMatching,
      CocoaError.validationStringPatternMatching
    ),
    (132000, NSManagedObjectContextLockingError, .managedObjectContextLocking, CocoaError.managedObjectContextLocking),
    (
      132010, NSPersistentStoreCoordinatorLockingError, .persistentStoreCoordinatorLocking,
      CocoaError.persistentStoreCoordinatorLocking
    ),
    (
      133000, NSManagedObjectReferentialIntegrityError, .managedObjectReferentialIntegrity,
      CocoaError.managedObjectReferentialIntegrity
    ),
    (
      133010, NSManagedObjectExternalRelationshipError, .managedObjectExternalRelationship,
      CocoaError.managedObjectExternalRelationship
    ),
    (133020, NSManagedObjectMergeError, .managedObjectMerge, CocoaError.managedObjectMerge),
    (
      133021, NSManagedObjectConstraintMergeError, .managedObjectConstraintMerge,
      CocoaError.managedObjectConstraintMerge
    ),
    (134000, NSPersistentStoreInvalidTypeError, .persistentStoreInvalidType, CocoaError.persistentStoreInvalidType),
    (134010, NSPersistentStoreTypeMismatchError, .persistentStoreTypeMismatch, CocoaError.persistentStoreTypeMismatch),
    (
      134020, NSPersistentStoreIncompatibleSchemaError, .persistentStoreIncompatibleSchema,
      CocoaError.persistentStoreIncompatibleSchema
    ),
    (134030, NSPersistentStoreSaveError, .persistentStoreSave, CocoaError.persistentStoreSave),
    (
      134040, NSPersistentStoreIncompleteSaveError, .persistentStoreIncompleteSave,
      CocoaError.persistentStoreIncompleteSave
    ),
    (
      134050, NSPersistentStoreSaveConflictsError, .persistentStoreSaveConflicts,
      CocoaError.persistentStoreSaveConflicts
    ),
    (134060, NSCoreDataError, .coreData, CocoaError.coreData),
    (134070, NSPersistentStoreOperationError, .persistentStoreOperation, CocoaError.persistentStoreOperation),
    (134080, NSPersistentStoreOpenError, .persistentStoreOpen, CocoaError.persistentStoreOpen),
    (134090, NSPersistentStoreTimeoutError, .persistentStoreTimeout, CocoaError.persistentStoreTimeout),
    (
      134091, NSPersistentStoreUnsupportedRequestTypeError, .persistentStoreUnsupportedRequestType,
      CocoaError.persistentStoreUnsupportedRequestType
    ),
    (
      134100, NSPersistentStoreIncompatibleVersionHashError, .persistentStoreIncompatibleVersionHash,
      CocoaError.persistentStoreIncompatibleVersionHash
    ),
    (134110, NSMigrationError, .migration, CocoaError.migration),
    (134120, NSMigrationCancelledError, .migrationCancelled, CocoaError.migrationCancelled),
    (134130, NSMigrationMissingSourceModelError, .migrationMissingSourceModel, CocoaError.migrationMissingSourceModel),
    (
      134140, NSMigrationMissingMappingModelError, .migrationMissingMappingModel,
      CocoaError.migrationMissingMappingModel
    ),
    (134150, NSMigrationManagerSourceStoreError, .migrationManagerSourceStore, CocoaError.migrationManagerSourceStore),
    (
      134160, NSMigrationManagerDestinationStoreError, .migrationManagerDestinationStore,
      CocoaError.migrationManagerDestinationStore
    ),
    (134170, NSEntityMigrationPolicyError, .entityMigrationPolicy, CocoaError.entityMigrationPolicy),
    (134180, NSSQLiteError, .sqlite, CocoaError.sqlite),
    (134190, NSInferredMappingModelError, .inferredMappingModel, CocoaError.inferredMappingModel),
    (134200, NSExternalRecordImportError, .externalRecordImport, CocoaError.externalRecordImport),
  ]

  /// Those that have no name in CocoaError.
  private static let constants: [(number: Int, constant: Int)] = [
    (1551, NSManagedObjectConstraintValidationError),
    (1690, NSValidationInvalidURIError),
    (134111, NSMigrationConstraintViolationError),
    (134301, NSPersistentHistoryTokenExpiredError),
    (134504, NSManagedObjectModelReferenceNotFoundError),
    (134505, NSStagedMigrationFrameworkVersionMismatchError),
    (134506, NSStagedMigrationBackwardMigrationError),
  ]

  @Test func numbers() {
    for (number, constant, code, ofError) in Self.codes {
      #expect(constant == number && code.rawValue == number && ofError == code)
    }
    for (number, constant) in Self.constants { #expect(constant == number) }
    #expect(Set(Self.codes.map(\.number)).count == Self.codes.count)
  }

  @available(*, deprecated)
  private func renamed() -> [(CocoaError.Code, CocoaError.Code, CocoaError.Code)] {
    [
      (CocoaError.Code.managedObjectValidationError, CocoaError.managedObjectValidationError, .managedObjectValidation),
      (
        CocoaError.Code.validationMultipleErrorsError, CocoaError.validationMultipleErrorsError,
        .validationMultipleErrors
      ),
      (
        CocoaError.Code.validationMissingMandatoryPropertyError, CocoaError.validationMissingMandatoryPropertyError,
        .validationMissingMandatoryProperty
      ),
      (
        CocoaError.Code.validationRelationshipLacksMinimumCountError,
        CocoaError.validationRelationshipLacksMinimumCountError, .validationRelationshipLacksMinimumCount
      ),
      (
        CocoaError.Code.validationRelationshipExceedsMaximumCountError,
        CocoaError.validationRelationshipExceedsMaximumCountError, .validationRelationshipExceedsMaximumCount
      ),
      (
        CocoaError.Code.validationRelationshipDeniedDeleteError, CocoaError.validationRelationshipDeniedDeleteError,
        .validationRelationshipDeniedDelete
      ),
      (
        CocoaError.Code.validationNumberTooLargeError, CocoaError.validationNumberTooLargeError,
        .validationNumberTooLarge
      ),
      (
        CocoaError.Code.validationNumberTooSmallError, CocoaError.validationNumberTooSmallError,
        .validationNumberTooSmall
      ),
      (CocoaError.Code.validationDateTooLateError, CocoaError.validationDateTooLateError, .validationDateTooLate),
      (CocoaError.Code.validationDateTooSoonError, CocoaError.validationDateTooSoonError, .validationDateTooSoon),
      (CocoaError.Code.validationInvalidDateError, CocoaError.validationInvalidDateError, .validationInvalidDate),
      (CocoaError.Code.validationStringTooLongError, CocoaError.validationStringTooLongError, .validationStringTooLong),
      (
        CocoaError.Code.validationStringTooShortError, CocoaError.validationStringTooShortError,
        .validationStringTooShort
      ),
      (
        CocoaError.Code.validationStringPatternMatchingError, CocoaError.validationStringPatternMatchingError,
        .validationStringPatternMatching
      ),
      (
        CocoaError.Code.managedObjectContextLockingError, CocoaError.managedObjectContextLockingError,
        .managedObjectContextLocking
      ),
      (
        CocoaError.Code.persistentStoreCoordinatorLockingError, CocoaError.persistentStoreCoordinatorLockingError,
        .persistentStoreCoordinatorLocking
      ),
      (
        CocoaError.Code.managedObjectReferentialIntegrityError, CocoaError.managedObjectReferentialIntegrityError,
        .managedObjectReferentialIntegrity
      ),
      (
        CocoaError.Code.managedObjectExternalRelationshipError, CocoaError.managedObjectExternalRelationshipError,
        .managedObjectExternalRelationship
      ),
      (CocoaError.Code.managedObjectMergeError, CocoaError.managedObjectMergeError, .managedObjectMerge),
      (
        CocoaError.Code.managedObjectConstraintMergeError, CocoaError.managedObjectConstraintMergeError,
        .managedObjectConstraintMerge
      ),
      (
        CocoaError.Code.persistentStoreInvalidTypeError, CocoaError.persistentStoreInvalidTypeError,
        .persistentStoreInvalidType
      ),
      (
        CocoaError.Code.persistentStoreTypeMismatchError, CocoaError.persistentStoreTypeMismatchError,
        .persistentStoreTypeMismatch
      ),
      (
        CocoaError.Code.persistentStoreIncompatibleSchemaError, CocoaError.persistentStoreIncompatibleSchemaError,
        .persistentStoreIncompatibleSchema
      ),
      (CocoaError.Code.persistentStoreSaveError, CocoaError.persistentStoreSaveError, .persistentStoreSave),
      (
        CocoaError.Code.persistentStoreIncompleteSaveError, CocoaError.persistentStoreIncompleteSaveError,
        .persistentStoreIncompleteSave
      ),
      (
        CocoaError.Code.persistentStoreSaveConflictsError, CocoaError.persistentStoreSaveConflictsError,
        .persistentStoreSaveConflicts
      ),
      (CocoaError.Code.coreDataError, CocoaError.coreDataError, .coreData),
      (
        CocoaError.Code.persistentStoreOperationError, CocoaError.persistentStoreOperationError,
        .persistentStoreOperation
      ),
      (CocoaError.Code.persistentStoreOpenError, CocoaError.persistentStoreOpenError, .persistentStoreOpen),
      (CocoaError.Code.persistentStoreTimeoutError, CocoaError.persistentStoreTimeoutError, .persistentStoreTimeout),
      (
        CocoaError.Code.persistentStoreUnsupportedRequestTypeError,
        CocoaError.persistentStoreUnsupportedRequestTypeError, .persistentStoreUnsupportedRequestType
      ),
      (
        CocoaError.Code.persistentStoreIncompatibleVersionHashError,
        CocoaError.persistentStoreIncompatibleVersionHashError, .persistentStoreIncompatibleVersionHash
      ),
      (CocoaError.Code.migrationError, CocoaError.migrationError, .migration),
      (CocoaError.Code.migrationCancelledError, CocoaError.migrationCancelledError, .migrationCancelled),
      (
        CocoaError.Code.migrationMissingSourceModelError, CocoaError.migrationMissingSourceModelError,
        .migrationMissingSourceModel
      ),
      (
        CocoaError.Code.migrationMissingMappingModelError, CocoaError.migrationMissingMappingModelError,
        .migrationMissingMappingModel
      ),
      (
        CocoaError.Code.migrationManagerSourceStoreError, CocoaError.migrationManagerSourceStoreError,
        .migrationManagerSourceStore
      ),
      (
        CocoaError.Code.migrationManagerDestinationStoreError, CocoaError.migrationManagerDestinationStoreError,
        .migrationManagerDestinationStore
      ),
      (CocoaError.Code.entityMigrationPolicyError, CocoaError.entityMigrationPolicyError, .entityMigrationPolicy),
      (CocoaError.Code.sqliteError, CocoaError.sqliteError, .sqlite),
      (CocoaError.Code.inferredMappingModelError, CocoaError.inferredMappingModelError, .inferredMappingModel),
      (CocoaError.Code.externalRecordImportError, CocoaError.externalRecordImportError, .externalRecordImport),
    ]
  }

  @available(*, deprecated)
  @Test func formerNames() {
    let renamed = renamed()
    #expect(renamed.count == Self.codes.count)
    for (code, ofError, now) in renamed { #expect(code == now && ofError == now) }
  }
}
