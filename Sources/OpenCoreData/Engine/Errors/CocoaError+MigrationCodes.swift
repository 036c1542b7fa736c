import Foundation

extension CocoaError.Code {
  /// 134110: a migration failed.
  ///
  /// The store is unchanged; the text and the underlying error name entity, property and reason.
  public static var migration: CocoaError.Code { Self(rawValue: NSMigrationError) }
  /// 134120: a migration was cancelled.
  ///
  /// The store is unchanged; the underlying error is the one that the migration was cancelled with.
  public static var migrationCancelled: CocoaError.Code { Self(rawValue: NSMigrationCancelledError) }
  /// 134130: the model that a store was made with is found neither in the bundles nor in the store.
  ///
  /// Ship the old versions of the model with the program.
  public static var migrationMissingSourceModel: CocoaError.Code { Self(rawValue: NSMigrationMissingSourceModelError) }
  /// 134140: there is no mapping model from the store's version to the wanted one, and none can be inferred.
  ///
  /// The underlying error, 134190, gives the reason.
  public static var migrationMissingMappingModel: CocoaError.Code {
    Self(rawValue: NSMigrationMissingMappingModelError)
  }
  /// 134150: the store to migrate from cannot be read.
  ///
  /// The underlying error says why.
  public static var migrationManagerSourceStore: CocoaError.Code { Self(rawValue: NSMigrationManagerSourceStoreError) }
  /// 134160: the store to migrate to cannot be written, for example because the disk is full.
  ///
  /// The underlying error says why; no part of the new store is left.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    Self(rawValue: NSMigrationManagerDestinationStoreError)
  }
  /// 134170: a migration policy has thrown.
  ///
  /// The underlying error is the one that the policy threw.
  public static var entityMigrationPolicy: CocoaError.Code { Self(rawValue: NSEntityMigrationPolicyError) }
  /// 134190: the mapping from one version to the other cannot be inferred.
  ///
  /// The userInfo has entity, property and reason; if there are several reasons, they are under `NSDetailedErrorsKey`.
  /// Write a mapping model, or migrate in stages.
  public static var inferredMappingModel: CocoaError.Code { Self(rawValue: NSInferredMappingModelError) }
  /// 134200: records for Spotlight could not be imported.
  ///
  /// Never thrown here: there is no Spotlight (D-MIS-05).
  public static var externalRecordImport: CocoaError.Code { Self(rawValue: NSExternalRecordImportError) }
}

extension CocoaError {
  /// 134110: a migration failed.
  ///
  /// The store is unchanged; the text and the underlying error name entity, property and reason.
  public static var migration: CocoaError.Code { .migration }
  /// 134120: a migration was cancelled.
  ///
  /// The store is unchanged; the underlying error is the one that the migration was cancelled with.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// 134130: the model that a store was made with is found neither in the bundles nor in the store.
  ///
  /// Ship the old versions of the model with the program.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// 134140: there is no mapping model from the store's version to the wanted one, and none can be inferred.
  ///
  /// The underlying error, 134190, gives the reason.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// 134150: the store to migrate from cannot be read.
  ///
  /// The underlying error says why.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// 134160: the store to migrate to cannot be written, for example because the disk is full.
  ///
  /// The underlying error says why; no part of the new store is left.
  public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
  /// 134170: a migration policy has thrown.
  ///
  /// The underlying error is the one that the policy threw.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// 134190: the mapping from one version to the other cannot be inferred.
  ///
  /// The userInfo has entity, property and reason; if there are several reasons, they are under `NSDetailedErrorsKey`.
  /// Write a mapping model, or migrate in stages.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// 134200: records for Spotlight could not be imported.
  ///
  /// Never thrown here: there is no Spotlight (D-MIS-05).
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
