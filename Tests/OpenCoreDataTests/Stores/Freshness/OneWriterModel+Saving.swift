@testable import OpenCoreData

extension OneWriterModel {
  /// A step of a save, or of another process.
  mutating func save(_ step: OneWriterScript.Step, _ index: Int, _ actor: inout Actor) {
    actor.place += 1
    switch step {
    case .lock: (holder, isWriting) = (index, true)
    case .look: look(&actor)
    case .countForgetting, .forget: forget(step, &actor)
    case .show: transaction = freshness.beginTransaction()
    case .hide: transaction = OneWriterFreshness.noTransaction
    case .countBegun: if actor.role != .rollsBack { countBegun() }
    case .commit: commit(&actor)
    case .countFinished: if actor.role != .rollsBack { countFinished() }
    case .number, .raiseFloor, .put: if actor.snapshot != 0 { publish(step, actor: &actor) }
    case .unlock: holder = nil
    case .checkQuestion: if isAsked { actor.asking = script.answering }
    case .commitElsewhere: database.append(.foreign)
    default: break
    }
    if actor.role == .commitsElsewhere || actor.place >= script.saving.count {
      actor.place = 0
      actor.left -= 1
      actor.number = 0
      actor.snapshot = 0
    } else {
      actor.place = skippingForgetting(script.saving, actor.place, actor)
    }
  }

  private mutating func countBegun() {
    let count = freshness.beginCommit()
    if script.broken != .begunNotCounted { begun = count }
  }

  private mutating func countFinished() {
    let count = freshness.endCommit()
    if script.broken != .begunNotCounted { finished = count }
  }

  /// The transaction ends, and the database can be written again.
  private mutating func commit(_ actor: inout Actor) {
    isWriting = false
    if actor.role == .rollsBack || actor.role == .failsToCommit { return }
    database.append(actor.role == .deletes ? .deletion : .own)
    actor.snapshot = database.count
  }

  private mutating func publish(_ step: OneWriterScript.Step, actor: inout Actor) {
    switch step {
    case .number:
      latest += 1
      actor.number = latest
      note(latest, at: actor.snapshot)
    case .raiseFloor: cache.raiseFloor(to: actor.number)
    default: if actor.role == .deletes { cache.remove(0) } else { put(actor.snapshot, actor.number) }
    }
  }

  /// Looks at the version by the writing connection.
  mutating func look(_ actor: inout Actor) {
    actor.forgets = freshness.look(Int64(database.count { $0 == .foreign })) == .forgetEverything
    if actor.asking != nil, !actor.isAnswered { actor.isForeign = actor.forgets }
  }

  /// `forgetEverything`, in two steps.
  mutating func forget(_ step: OneWriterScript.Step, _ actor: inout Actor) {
    if step == .countForgetting {
      latest += 1
      actor.number = latest
    } else {
      cache.raiseFloor(to: actor.number)
      cache.removeAll()
      actor.forgets = false
    }
  }

  /// The next place in an order of steps: where nothing is to be forgotten there is no step for it.
  func skippingForgetting(_ steps: [OneWriterScript.Step], _ place: Int, _ actor: Actor) -> Int {
    var place = place
    while !actor.forgets, place < steps.count, steps[place] == .countForgetting || steps[place] == .forget {
      place += 1
    }
    return place
  }
}
