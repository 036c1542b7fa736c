/// The versions that stages lead through, one after the other.
struct StageOrder {
  /// A version with the stage that leads to it. No stage leads to the first version of a stage that does not begin where the
  /// one before it ends.
  struct Version {
    let checksum: String
    /// The number of the version's stage. If two stages have the version, it is the earlier one, which leads to the version.
    let stage: Int
  }

  /// All versions in their order, each once.
  private(set) var versions: [Version] = []
  /// A version that occurs where it cannot be.
  private(set) var duplicate: String?

  init(_ stages: [NSMigrationStage]) {
    var seen: Set<String> = []
    for (number, stage) in stages.enumerated() {
      for (position, checksum) in stage.checksums.enumerated() {
        if seen.insert(checksum).inserted {
          versions.append(Version(checksum: checksum, stage: number))
        } else if position > 0 || versions.last?.checksum != checksum {
          duplicate = duplicate ?? checksum
        }
      }
    }
  }

  /// The position of a version in the order; nil for a version that no stage has.
  func position(of checksum: String) -> Int? { versions.firstIndex { $0.checksum == checksum } }
}
