import Foundation
import OpenCocoaFoundation

/// A step of a staged migration through versions, each of which lightweight migration can lead to the next.
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, oldest first.
  public final let versionChecksums: [String]

  /// Makes a stage of the checksums of versions, oldest first. A checksum that occurs twice stops the program.
  public init(_ checksums: [String]) {
    versionChecksums = checksums
    super.init()
    var seen: Set<String> = []
    for checksum in checksums where !seen.insert(checksum).inserted {
      raise(.invalidArgument, "Duplicate version checksums detected in a lightweight stage: \(checksum).")
    }
  }

  override final var checksums: [String] { versionChecksums }
}
