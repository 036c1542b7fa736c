@testable import OpenCoreData

/// A store with one writer as far as freshness goes: a database that is a list of commits, the row cache, what the
/// writer shows, and actors that save, read, and commit from another process.
struct OneWriterModel: InterleavedModel {
  let script: OneWriterScript
  /// What each commit is: all of them write the one row, whose content is the number of the commit, or delete it.
  var database: [Origin] = []
  var cache = ModelRowCache(keys: 1)
  var freshness = OneWriterFreshness()
  /// What the writer shows, and the store's count of commits.
  var transaction = OneWriterFreshness.noTransaction, begun = 0, finished = 0, latest: UInt64 = 1
  var isAsked = false
  /// Who has the writer's lock, and whether somebody has the database's for writing.
  var holder: Int?
  var isWriting = false
  var actors: [Actor]
  /// How much of the database anybody has seen.
  var seen = 0
  /// The newest content that was ever in the cache.
  var newest = 0
  /// By date, how many commits transactions see that have it; -1 for none.
  var dated: [Int] = []
  var problem: String?

  enum Origin { case own, deletion, foreign }

  struct Actor: Hashable {
    let role: OneWriterScript.Role
    /// The next step: of the role's order, and of asking the writer in the middle of that.
    var place = 0
    var asking: Int?
    var left: Int
    // A transaction that begins or reads.
    var mark = OneWriterReading.Mark()
    var transaction = 0, finished = 0, begun = 0, attempts = 0, snapshot = 0, number: UInt64 = 0, date: UInt64 = 0
    var decision: OneWriterReading.Decision?
    var isForeign: Bool?
    var forgets = false, isAnswered = false, hasAsked = false
  }

  init(_ script: OneWriterScript) {
    self.script = script
    actors = script.roles.map { role in
      var actor = Actor(role: role, left: role == .reads ? script.rounds : script.commits)
      actor.attempts = script.attempts
      if script.isWarm { actor.mark = .init(version: 0, finished: 0) }
      return actor
    }
    _ = freshness.look(0)
    cache.put(.init(content: 0, date: 1), 0)
    note(1, at: 0)
  }

  /// An actor puts the row into the cache.
  mutating func put(_ content: Int, _ date: UInt64) {
    guard cache.put(.init(content: content, date: date), 0) else { return }
    if content < newest { problem = "the row of commit \(content) comes back after that of \(newest)" }
    newest = max(newest, content)
  }

  /// What transactions see that are dated alike must be the same.
  mutating func note(_ date: UInt64, at count: Int) {
    guard script.checksDates else { return }
    while dated.count <= date { dated.append(-1) }
    if ![-1, count].contains(dated[Int(date)]) {
      problem = "transactions at commit \(date) see \(dated[Int(date)]) and \(count) commits"
    }
    dated[Int(date)] = count
  }

  // MARK: Steps

  func next(_ actor: Actor) -> OneWriterScript.Step? {
    if let asking = actor.asking { return script.asking[asking] }
    if actor.left == 0 { return nil }
    return switch actor.role {
    case .reads: script.reading[actor.place]
    case .commitsElsewhere: .commitElsewhere
    default: script.saving[actor.place]
    }
  }

  var ready: [Int] {
    actors.indices.filter { index in
      switch next(actors[index]) {
      case nil: false
      case .lock: holder == nil && !isWriting
      case .commitElsewhere: !isWriting
      default: true
      }
    }
  }

  func step(of actor: Int) -> String {
    "\(actor) \(actors[actor].role): \(next(actors[actor]).map { "\($0)" } ?? "-")"
  }

  mutating func take(_ index: Int) {
    var actor = actors[index]
    guard let step = next(actor) else { return }
    if actor.asking != nil {
      ask(step, index, &actor)
    } else if actor.role == .reads {
      read(step, index, &actor)
    } else {
      save(step, index, &actor)
    }
    actors[index] = actor
  }

  // MARK: The end

  /// Nobody is at work: the cache has nothing that is older than what anybody has seen, and whoever begins to read now
  /// sees everything, on connections of any history, and leaves nothing old in the cache.
  var problemAtEnd: String? {
    if holder != nil || isWriting { return "a lock is still held" }
    if let row = cache.rows[0], row.content < seen { return "the row is cached as older than what was seen" }
    for index in actors.indices where actors[index].role == .reads {
      if let problem = problemOfReading(index, mark: actors[index].mark) { return problem }
    }
    return problemOfReading(actors.count, mark: .init())
  }

  private func problemOfReading(_ index: Int, mark: OneWriterReading.Mark) -> String? {
    var model = self
    var reader = Actor(role: .reads, left: 1)
    reader.mark = mark
    reader.attempts = 1
    model.actors.append(reader)
    while model.next(model.actors[actors.count]) != nil, model.problem == nil { model.take(actors.count) }
    if let problem = model.problem { return "at the end: \(problem)" }
    guard case .readAt = model.actors[actors.count].decision else { return "who reads at the end reads uncached" }
    let content = database.last == .deletion ? nil : database.count
    return model.cache.rows[0]?.content == content ? nil : "the row stays old in the cache"
  }
}
