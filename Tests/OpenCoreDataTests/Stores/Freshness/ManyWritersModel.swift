@testable import OpenCoreData

/// A store on a server with many writers as far as freshness goes: the server, the row cache, and actors that save and
/// read through the store, and others that write elsewhere.
struct ManyWritersModel: InterleavedModel {
  let script: ManyWritersScript
  var server: SimulatedServer
  var cache: ModelRowCache
  var freshness: ManyWritersFreshness
  var latest: UInt64 = 1
  /// Who has the store's lock.
  var holder: Int?
  var actors: [Actor]
  /// How many commits the digested state sees.
  var digestedCount = 0
  /// The newest content of each key that was ever in the cache.
  var newest: [Int]
  /// By date, what transactions see that have it.
  var dated: [[Int]] = []
  var found: String?
  let keys: Int

  struct Actor: Hashable {
    let role: ManyWritersScript.Role
    var place = 0
    var left: Int
    var attempts = 0
    var question: ManyWritersFreshness.Question?
    var transaction: UInt64 = 0
    /// How many commits are seen: by the transaction that reads, or that answers a save.
    var count = 0
    /// The number of the save's own commit.
    var own = 0
    var state: ServerState?
    var told = ToldChanges.unknown
    var early: UInt64 = 0
    // What was decided.
    var date: UInt64 = 0, number: UInt64 = 0
    var outdated: Set<Int64>? = []
    var isPublished = false
    var key = 0
  }

  init(_ script: ManyWritersScript) {
    (self.script, keys) = (script, script.keys)
    server = SimulatedServer(keys: keys)
    cache = ModelRowCache(keys: keys)
    freshness = ManyWritersFreshness(relations: [:], limit: script.limit)
    newest = Array(repeating: 0, count: keys)
    actors = script.roles.map { Actor(role: $0, left: $0.times, attempts: script.attempts) }
    // Somebody has read already.
    if let state = serverState {
      _ = freshness.begin(
        seeing: state, told: .unknown, to: freshness.ask(), attemptsLeft: 0, latest: latest, nextCommit: { 1 })
    }
    for key in 0..<keys { cache.put(.init(content: 0, date: 1), key) }
    note(1, at: 0)
  }

  /// What a transaction sees that begins now.
  var serverState: ServerState? {
    script.hasSnapshots ? server.snapshot.map { .snapshot($0) } : .version(Int64(server.commits.count))
  }

  mutating func put(_ content: Int, _ date: UInt64, _ key: Int) {
    guard cache.put(.init(content: content, date: date), key) else { return }
    if content < newest[key] { found = "row \(key) is that of commit \(content) again, after \(newest[key])" }
    newest[key] = max(newest[key], content)
  }

  /// What transactions see that are dated alike must be the same.
  mutating func note(_ date: UInt64, at count: Int) {
    let contents = (0..<keys).map { server.content($0, at: count) }, index = Int(date)
    while dated.count <= index { dated.append([]) }
    if !dated[index].isEmpty, dated[index] != contents {
      found = "transactions at commit \(date) see \(dated[index]) and \(contents)"
    }
    dated[index] = contents
  }

  // MARK: Steps

  func next(_ actor: Actor) -> ManyWritersScript.Step? {
    actor.left == 0 ? nil : script.steps(actor.role.kind)[actor.place]
  }

  var ready: [Int] {
    actors.indices.filter { index in
      switch next(actors[index]) {
      case nil: false
      case .lock, .ask: holder == nil
      case .write: !server.isLocked(actors[index].role.keys)
      default: true
      }
    }
  }

  func step(of actor: Int) -> String {
    "\(actor) \(actors[actor].role.kind): \(next(actors[actor]).map { "\($0)" } ?? "-")"
  }

  /// While nobody has the lock, no cached row is other than what the digested state sees.
  var problem: String? {
    if found != nil || holder != nil { return found }
    for (key, row) in cache.rows.enumerated() {
      if let row, row.content != server.content(key, at: digestedCount) {
        return "row \(key) of commit \(row.content) is cached though \(digestedCount) commits are digested"
      }
    }
    return nil
  }

  /// Nobody is at work: whoever begins to read now sees everything, and leaves nothing old in the cache.
  var problemAtEnd: String? {
    if holder != nil { return "the lock is still held" }
    var model = self
    model.actors.append(Actor(role: .init(kind: .reads), left: 1, attempts: 0))
    while model.next(model.actors[actors.count]) != nil, model.found == nil {
      model.take(actors.count)
      if model.next(model.actors[actors.count]) == .get, model.actors[actors.count].date == 0 {
        return "who reads at the end reads uncached"
      }
    }
    if let problem = model.problem { return "at the end: \(problem)" }
    if model.digestedCount != server.commits.count { return "a commit is never told" }
    return nil
  }
}
