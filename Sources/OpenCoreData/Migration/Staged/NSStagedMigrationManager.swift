import Foundation
import OpenCocoaFoundation

/// The stages that lead stores of older versions of a model to its newest version.
open class NSStagedMigrationManager: NSObject {
  /// The stages, from the oldest version to the newest.
  public final let stages: [NSMigrationStage]

  /// The open store while a stage's handler runs.
  final var stack: StageStack?

  /// Makes a manager of stages, from the oldest version to the newest.
  ///
  /// A version in two stages stops the program, unless it is the last of one stage and the first of the next.
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    super.init()
    if let checksum = StageOrder(stages).duplicate {
      raise(.invalidArgument, "Duplicate version checksums across stages detected: \(checksum).")
    }
  }
}
