@testable import OpenCoreData

/// Who takes part in a run of `ManyWritersModel`, and in which order each takes its steps: the order that
/// `ManyWritersFreshness` asks for, or one that breaks a rule.
final class ManyWritersScript: Hashable {
  enum Kind { case saves, savesInDoubt, reads, commitsElsewhere, rollsBackElsewhere }

  struct Role: Hashable {
    let kind: Kind
    var keys: ClosedRange<Int> = 0...0
    var times = 1
  }

  /// A rule that is broken. `saveBehindCachePublished` is one that is easily missed: what a save has written may be
  /// changed, told and digested before the save puts it into the cache.
  enum Broken: CaseIterable {
    case stateMovedBeforeInvalidation, rowsRemovedBeforeFloor, floorNotRaised, changesIgnored, watermarkForSnapshot
    case readerBehindCacheDated, saveBehindCachePublished, saveAsksAfterCommit, saveLeavesOutWhatIsDigested
    case saveIgnoresOthers, datedBeforeLock, tooManyTakenForNone
  }

  enum Step {
    case ask, write, commit, rollBack, answer, lock, digest, raiseFloor, put, remove, unlock, get, keep
  }

  let roles: [Role]
  let attempts: Int
  /// Whether the server has snapshots; else saves count.
  let hasSnapshots: Bool
  /// How many changes may be told.
  let limit: Int
  /// How many rows there are.
  let keys: Int
  let broken: Broken?
  private let saving: [Step], reading: [Step]

  init(
    _ roles: [Role], attempts: Int = 1, hasSnapshots: Bool = true, limit: Int = 10_000, keys: Int = 2,
    broken: Broken? = nil
  ) {
    (self.roles, self.attempts, self.hasSnapshots) = (roles, attempts, hasSnapshots)
    (self.limit, self.keys, self.broken) = (limit, keys, broken)
    var saving: [Step] = [.ask, .write, .commit, .answer, .lock, .digest, .raiseFloor, .put, .remove, .unlock]
    var reading: [Step] = [.ask, .answer, .lock, .digest, .raiseFloor, .remove, .unlock, .get, .keep]
    switch broken {
    case .stateMovedBeforeInvalidation:
      reading = [.ask, .answer, .lock, .digest, .unlock, .raiseFloor, .remove, .get, .keep]
    case .rowsRemovedBeforeFloor:
      reading = [.ask, .answer, .lock, .digest, .remove, .raiseFloor, .unlock, .get, .keep]
    case .floorNotRaised:
      saving.removeAll { $0 == .raiseFloor }
      reading.removeAll { $0 == .raiseFloor }
    case .saveAsksAfterCommit:
      saving = [.write, .commit, .ask, .answer, .lock, .digest, .raiseFloor, .put, .remove, .unlock]
    default: break
    }
    (self.saving, self.reading) = (saving, reading)
  }

  func steps(_ kind: Kind) -> [Step] {
    switch kind {
    case .saves, .savesInDoubt: saving
    case .reads: reading
    case .commitsElsewhere: [.write, .commit]
    case .rollsBackElsewhere: [.write, .rollBack]
    }
  }

  static func == (one: ManyWritersScript, other: ManyWritersScript) -> Bool { one === other }
  func hash(into hasher: inout Hasher) {}
}
