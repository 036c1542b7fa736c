@testable import OpenCoreData

extension OneWriterModel {
  /// A step of a read transaction: it begins, and reads the row.
  mutating func read(_ step: OneWriterScript.Step, _ index: Int, _ actor: inout Actor) {
    actor.place += 1
    switch step {
    case .readTransaction: actor.transaction = transaction
    case .readFinished: actor.finished = finished
    case .readLatest: actor.date = latest
    case .beginReading:
      actor.snapshot = database.count
      seen = max(seen, actor.snapshot)
    case .readBegun: actor.begun = begun
    case .compare: compare(&actor)
    case .countForgetting, .forget: forget(step, &actor)
    case .decide: decide(&actor)
    case .get: get(&actor)
    case .keep:
      if actor.snapshot == 0 || database[actor.snapshot - 1] != .deletion { put(actor.snapshot, actor.date) }
      end(&actor)
    default: break
    }
    if actor.asking == nil { actor.place = skippingForgetting(script.reading, actor.place, actor) }
  }

  private func reading(_ actor: Actor) -> OneWriterReading {
    OneWriterReading(transaction: actor.transaction, finished: actor.finished, latest: actor.date)
  }

  private mutating func compare(_ actor: inout Actor) {
    actor.isForeign = false
    if script.broken == .versionNotCompared || script.broken == .newConnectionTrusted && actor.mark.version == nil {
      return
    }
    switch reading(actor).compare(
      Int64(actor.snapshot), begun: actor.begun, mark: actor.mark, nowWriting: transaction)
    {
    case .nothingNew: break
    case .forgetEverything: (actor.forgets, actor.isForeign) = (true, true)
    case .askWriter: (actor.asking, actor.isAnswered, actor.isForeign, actor.hasAsked) = (0, false, nil, true)
    }
  }

  private mutating func decide(_ actor: inout Actor) {
    if actor.isForeign == nil, script.broken == .busyTakenForNothingNew { actor.isForeign = false }
    var isForeign = actor.isForeign
    if actor.hasAsked, script.broken != .dateKeptAfterAsking {
      isForeign = reading(actor).isForeign(writerSays: isForeign, latestNow: latest)
    }
    let decision = reading(actor).decide(
      isForeign: isForeign, version: Int64(actor.snapshot), begun: actor.begun, attemptsLeft: actor.attempts,
      mark: &actor.mark)
    if script.broken == .markKeptWhereWriterIsBusy { actor.mark.version = Int64(actor.snapshot) }
    actor.decision = decision
    (actor.transaction, actor.finished, actor.begun, actor.isForeign, actor.number) = (0, 0, 0, nil, 0)
    actor.hasAsked = false
    switch decision {
    case .readAt(let date): note(date, at: actor.snapshot)
    case .beginAgain:
      actor.attempts -= 1
      (actor.place, actor.date, actor.snapshot) = (0, 0, 0)
    case .readUncached: actor.date = 0
    }
  }

  private mutating func get(_ actor: inout Actor) {
    // What is not there is read from the database, and kept a moment later.
    guard let row = cache.get(0, at: actor.date) else { return }
    if row.content != actor.snapshot { problem = "the row of commit \(row.content) for who sees \(actor.snapshot)" }
    end(&actor)
  }

  private func end(_ actor: inout Actor) {
    (actor.place, actor.date, actor.snapshot) = (0, 0, 0)
    actor.attempts = script.attempts
    actor.left -= 1
  }

  /// A step of asking the writer whether others have committed, or of a save that answers who has asked meanwhile.
  mutating func ask(_ step: OneWriterScript.Step, _ index: Int, _ actor: inout Actor) {
    guard let place = actor.asking else { return }
    actor.asking = place + 1
    switch step {
    case .ask:
      isAsked = true
      if script.broken == .questionAskedAfterTrying, holder != index { actor.asking = nil }
    case .tryLock:
      if holder == nil {
        holder = index
      } else if script.broken != .questionAskedAfterTrying {
        actor.asking = nil
      }
    case .clearQuestion: isAsked = false
    case .look: look(&actor)
    case .countForgetting, .forget: forget(step, &actor)
    case .unlock:
      holder = nil
      actor.isAnswered = true
    case .checkQuestion: actor.asking = isAsked ? script.answering : nil
    default: break
    }
    actor.asking = actor.asking.map { skippingForgetting(script.asking, $0, actor) }
    if actor.asking == script.asking.count { actor.asking = nil }
    guard actor.asking == nil else { return }
    actor.isAnswered = false
    actor.place = skippingForgetting(actor.role == .reads ? script.reading : script.saving, actor.place, actor)
  }
}
