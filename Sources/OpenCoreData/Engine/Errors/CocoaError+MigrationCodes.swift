import Foundation

extension CocoaError.Code {
  /// A migration failed.
  public static var migration: CocoaError.Code { Self(rawValue: NSMigrationError) }
  /// A migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { Self(rawValue: NSMigrationCancelledError) }
  /// The model that a store was made with is not to be found.
  public static var migrationMissingSourceModel: CocoaError.Code { Self(rawValue: NSMigrationMissingSourceModelError) }
  /// There is no mapping model from the store's model to the wanted one.
  public static var migrationMissingMappingModel: CocoaError.Code {
    Self(rawValue: NSMigrationMissingMappingModelError)
  }
  /// The store to migrate from could not be used.
  public static var migrationManagerSourceStore: CocoaError.Code { Self(rawValue: NSMigrationManagerSourceStoreError) }
  /// The store to migrate to could not be used.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    Self(rawValue: NSMigrationManagerDestinationStoreError)
  }
  /// An entity's migration policy failed.
  public static var entityMigrationPolicy: CocoaError.Code { Self(rawValue: NSEntityMigrationPolicyError) }
  /// A mapping model could not be inferred.
  public static var inferredMappingModel: CocoaError.Code { Self(rawValue: NSInferredMappingModelError) }
  /// Records of another kind could not be imported.
  public static var externalRecordImport: CocoaError.Code { Self(rawValue: NSExternalRecordImportError) }
}

extension CocoaError {
  /// A migration failed.
  public static var migration: CocoaError.Code { .migration }
  /// A migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// The model that a store was made with is not to be found.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// There is no mapping model from the store's model to the wanted one.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// The store to migrate from could not be used.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// The store to migrate to could not be used.
  public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
  /// An entity's migration policy failed.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// A mapping model could not be inferred.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// Records of another kind could not be imported.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
