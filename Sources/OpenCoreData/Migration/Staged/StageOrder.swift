/// The versions that stages lead through, one after the other.
struct StageOrder {
  /// A version with the stage that leads to it. No stage leads to the first version of a stage that does not begin
  /// where the stage before it ends.
  struct Version {
    let checksum: String
    /// The number of the stage that the version belongs to. If it belongs to two, this is the earlier one, which leads
    /// to it.
    let stage: Int
  }

  /// All versions in their order, each once.
  private(set) var versions: [Version] = []
  /// A version that occurs where it must not.
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

  /// The index of a version in the order; nil for a version that no stage has.
  func position(of checksum: String) -> Int? { versions.firstIndex { $0.checksum == checksum } }
}
