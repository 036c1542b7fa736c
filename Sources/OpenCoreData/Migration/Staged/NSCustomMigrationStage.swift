import Foundation
import OpenCocoaFoundation

/// A step of a staged migration from one version to the next, with code of the application before and after it.
open class NSCustomMigrationStage: NSMigrationStage {
  /// The version that the store has before the step.
  public final let currentModel: NSManagedObjectModelReference

  /// The version that the store has after the step.
  public final let nextModel: NSManagedObjectModelReference

  /// Called before the step, with the store in the current version: `manager.container` gives access to it. An error
  /// that it throws ends the migration.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// Called after the step, with the store in the next version. An error that it throws ends the migration.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// Makes a step from one version to another. A step whose two versions are the same stops the program.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
    if currentModel.versionChecksum == nextModel.versionChecksum {
      raise(
        .invalidArgument, "Duplicate version checksums detected in a custom stage: \(currentModel.versionChecksum).")
    }
  }

  override final var checksums: [String] { [currentModel.versionChecksum, nextModel.versionChecksum] }
}
