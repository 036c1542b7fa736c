@testable import OpenCoreData

extension ManyWritersModel {
  mutating func take(_ index: Int) {
    var actor = actors[index]
    guard let step = next(actor) else { return }
    actor.place += 1
    let keys = actor.role.keys
    switch step {
    case .ask:
      actor.question = freshness.ask()
      actor.early = latest
    case .write: actor.transaction = server.write(keys)
    case .commit:
      server.commit(actor.transaction, keys)
      actor.own = server.commits.count
    case .rollBack: server.rollBack(actor.transaction)
    case .answer: answer(&actor)
    case .lock: holder = index
    case .digest: if actor.role.kind == .reads { digestRead(&actor) } else { digestSave(&actor) }
    case .raiseFloor: if actor.number != 0 { cache.raiseFloor(to: actor.number) }
    case .put:
      for key in keys where actor.isPublished && actor.outdated?.contains(Int64(key)) == false {
        put(actor.own, actor.number, key)
      }
    case .remove: remove(&actor)
    case .unlock: holder = nil
    case .get: get(&actor)
    case .keep:
      put(server.content(actor.key, at: actor.count), actor.date, actor.key)
      goOn(&actor)
    }
    if actor.place >= script.steps(actor.role.kind).count { end(&actor) }
    actors[index] = actor
  }

  private func end(_ actor: inout Actor) {
    actor = Actor(role: actor.role, left: actor.left - 1, attempts: script.attempts)
  }

  /// A transaction begins on the server, and answers the question.
  private func answer(_ actor: inout Actor) {
    // The connection is lost, and only later it is known that the save is committed.
    if actor.role.kind == .savesInDoubt { return }
    actor.count = server.commits.count
    actor.state = serverState
    if !script.hasSnapshots {
      // A save's state is its own count.
      if actor.role.kind == .saves { actor.state = .version(Int64(actor.own)) }
      return
    }
    guard case .snapshot(let since)? = actor.question?.since else { return }
    var changes = server.changes(since: since)
    if script.broken == .watermarkForSnapshot {
      changes = server.changes(since: TransactionSnapshot(xmin: since.xmax, xmax: since.xmax, inProgress: []) ?? since)
    }
    if script.broken == .changesIgnored { changes = [] }
    actor.told = .rows(changes)
    if script.broken == .tooManyTakenForNone, changes.count > script.limit { actor.told = .rows([]) }
  }

  private mutating func digestRead(_ actor: inout Actor) {
    guard let state = actor.state, let question = actor.question else { return }
    var latest = latest
    let decision = freshness.begin(
      seeing: state, told: actor.told, to: question, attemptsLeft: actor.attempts,
      latest: script.broken == .datedBeforeLock ? actor.early : latest,
      nextCommit: {
        latest += 1
        return latest
      })
    self.latest = latest
    switch decision {
    case .readAt(let date): actor.date = date
    case .invalidate(let parts, let date):
      (actor.date, actor.number, actor.outdated) = (date, date, parts.rows[0] ?? [])
    case .forgetEverything(let date): (actor.date, actor.number, actor.outdated) = (date, date, nil)
    case .beginAgain, .readUncached:
      if script.broken == .readerBehindCacheDated {
        actor.date = latest
      } else if decision == .beginAgain {
        let (left, attempts) = (actor.left, actor.attempts - 1)
        actor = Actor(role: actor.role, left: left, attempts: attempts)
        holder = nil
      }
    }
    if actor.date != 0 { note(actor.date, at: actor.count) }
    noteDigested(state, actor)
  }

  private mutating func digestSave(_ actor: inout Actor) {
    guard let question = actor.question else { return }
    var latest = latest, told = actor.told
    if script.broken == .saveIgnoresOthers { told = .rows([]) }
    if script.broken == .saveLeavesOutWhatIsDigested, case .rows(let rows) = told {
      told = .rows(rows.filter { freshness.digested?.sees($0.transaction) != true })
    }
    func nextCommit() -> UInt64 {
      latest += 1
      return latest
    }
    let decision = freshness.endSave(
      actor.transaction, seeing: actor.state, told: told, to: question, nextCommit: nextCommit)
    switch decision {
    case .publish(let date, let parts):
      (actor.number, actor.outdated, actor.isPublished) = (date, parts.rows[0] ?? [], true)
    case .forgetEverything(let date): (actor.number, actor.outdated) = (date, nil)
    case .publishUncached:
      if script.broken == .saveBehindCachePublished { (actor.number, actor.isPublished) = (nextCommit(), true) }
    }
    self.latest = latest
    if actor.number != 0 { note(actor.number, at: script.hasSnapshots ? actor.count : actor.own) }
    if let state = actor.state { noteDigested(state, actor) }
  }

  /// Each change is told at least once before the state that sees it is the digested one.
  private mutating func noteDigested(_ state: ServerState, _ actor: Actor) {
    guard freshness.digested == state, actor.state == state else { return }
    let count = script.hasSnapshots || actor.role.kind == .reads ? actor.count : actor.own
    for commit in server.commits[..<count].dropFirst(digestedCount) where actor.transaction != commit.transaction {
      if let outdated = actor.outdated, !commit.keys.allSatisfy({ outdated.contains(Int64($0)) }) {
        found = "transaction \(commit.transaction) is not told"
      }
    }
    digestedCount = count
  }

  private mutating func remove(_ actor: inout Actor) {
    guard let outdated = actor.outdated else { return cache.removeAll() }
    for key in outdated { cache.remove(Int(key)) }
  }

  private mutating func get(_ actor: inout Actor) {
    // What is not there is read from the database, and kept a moment later.
    guard let row = cache.get(actor.key, at: actor.date) else { return }
    let content = server.content(actor.key, at: actor.count)
    if row.content != content { found = "row \(actor.key) of commit \(row.content) for who sees \(content)" }
    goOn(&actor)
  }

  /// To the next row, or to the end of the transaction.
  private func goOn(_ actor: inout Actor) {
    actor.key += 1
    actor.place = actor.key < keys ? script.steps(.reads).firstIndex(of: .get) ?? 0 : script.steps(.reads).count
  }
}
