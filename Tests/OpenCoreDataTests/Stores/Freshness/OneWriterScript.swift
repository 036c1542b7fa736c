@testable import OpenCoreData

/// Who takes part in a run of `OneWriterModel`, and in which order each takes its steps: the order of `StoreWriter` and
/// `SQLiteStore`, or one that breaks a rule.
final class OneWriterScript: Hashable {
  enum Role { case saves, deletes, rollsBack, failsToCommit, reads, commitsElsewhere }

  /// A rule that is broken.
  enum Broken: CaseIterable {
    case begunCountedAfterCommit, begunNotCounted
    case latestReadAfterBeginning, begunReadBeforeBeginning, versionNotCompared, numberShownBeforeLook
    case numberHiddenAfterCommit, floorNotRaised, emptiedAfterUnlocking, markKeptWhereWriterIsBusy
    case busyTakenForNothingNew, questionIgnored, questionAskedAfterTrying, questionClearedAfterLook
    case rowsPublishedAfterUnlocking, newConnectionTrusted, dateKeptAfterAsking
  }

  /// One step of an actor; the comments of `OneWriterFreshness` have the rules.
  enum Step {
    case lock, look, countForgetting, forget, show, hide, countBegun, commit, number, raiseFloor, put
    case countFinished, unlock, checkQuestion
    case readTransaction, readFinished, readLatest, beginReading, readBegun, compare, decide, get, keep
    case ask, tryLock, clearQuestion, commitElsewhere
  }

  let roles: [Role]
  /// How often a reader reads, one transaction after the other.
  let rounds: Int
  /// How often a transaction begins again.
  let attempts: Int
  /// How often others commit, and saves save.
  let commits: Int
  let broken: Broken?
  let saving: [Step], reading: [Step], asking: [Step]
  /// Whether readers' connections have read before.
  let isWarm: Bool
  /// Whether transactions that are dated alike must see the same.
  let checksDates: Bool

  init(
    _ roles: [Role], rounds: Int = 1, attempts: Int = 1, commits: Int = 1, isWarm: Bool = true,
    checksDates: Bool = false, broken: Broken? = nil
  ) {
    (self.roles, self.rounds, self.attempts, self.commits) = (roles, rounds, attempts, commits)
    (self.isWarm, self.checksDates, self.broken) = (isWarm, checksDates, broken)
    var saving: [Step] = [
      .lock, .look, .countForgetting, .forget, .show, .hide, .countBegun, .commit, .number, .raiseFloor, .put,
      .countFinished, .unlock, .checkQuestion,
    ]
    var reading: [Step] = [
      .readTransaction, .readFinished, .readLatest, .beginReading, .readBegun, .compare, .countForgetting, .forget,
      .decide, .get, .keep,
    ]
    var asking: [Step] = [
      .ask, .tryLock, .clearQuestion, .look, .countForgetting, .forget, .unlock, .checkQuestion,
    ]
    switch broken {
    case .begunCountedAfterCommit: saving.move(.countBegun, behind: .commit)
    case .latestReadAfterBeginning: reading.move(.readLatest, behind: .beginReading)
    case .begunReadBeforeBeginning: reading.move(.readBegun, behind: .readTransaction)
    case .numberShownBeforeLook: saving.move(.show, behind: .lock)
    case .numberHiddenAfterCommit: saving.move(.hide, behind: .commit)
    case .floorNotRaised: saving.removeAll { $0 == .raiseFloor }
    case .emptiedAfterUnlocking: asking.move(.forget, behind: .unlock)
    case .questionIgnored:
      saving.removeAll { $0 == .checkQuestion }
      asking.removeAll { $0 == .checkQuestion }
    case .questionAskedAfterTrying: asking.move(.ask, behind: .tryLock)
    case .questionClearedAfterLook: asking.move(.clearQuestion, behind: .look)
    case .rowsPublishedAfterUnlocking:
      for step in [Step.countFinished, .put, .raiseFloor, .number] { saving.move(step, behind: .checkQuestion) }
    default: break
    }
    (self.saving, self.reading, self.asking) = (saving, reading, asking)
  }

  /// Where an actor begins that answers a question: it does not ask itself.
  var answering: Int { asking.firstIndex(of: .tryLock) ?? 0 }

  static func == (one: OneWriterScript, other: OneWriterScript) -> Bool { one === other }
  func hash(into hasher: inout Hasher) {}
}

extension [OneWriterScript.Step] {
  fileprivate mutating func move(_ step: Element, behind other: Element) {
    removeAll { $0 == step }
    if let index = firstIndex(of: other) { insert(step, at: index + 1) }
  }
}
