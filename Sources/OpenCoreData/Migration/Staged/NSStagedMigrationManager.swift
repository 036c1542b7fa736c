import Foundation
import OpenCocoaFoundation

/// The stages by which the stores of older versions of a model get to its newest.
open class NSStagedMigrationManager: NSObject {
  /// The stages, from the oldest version to the newest.
  public final let stages: [NSMigrationStage]

  /// The store, while a stage's handler runs.
  final var stack: StageStack?

  /// Makes a manager of stages, from the oldest version to the newest.
  ///
  /// A version that stands in two stages stops the program, unless the one begins where the one before it ends.
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    super.init()
    if let checksum = StageOrder(stages).duplicate {
      raise(.invalidArgument, "Duplicate version checksums across stages detected: \(checksum).")
    }
  }
}
