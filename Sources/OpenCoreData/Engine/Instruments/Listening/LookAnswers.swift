import Foundation

/// Answers requests; used by the listener's thread alone.
struct LookAnswers {
  /// What a request asked for that cannot be given.
  struct Refusal: Error { let words: String }

  let scope: LookScope
  private(set) var recording: String?
  init(_ scope: LookScope) { self.scope = scope }

  private var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The answer to a line, without the end of its line.
  mutating func answer(_ line: Data) -> Data {
    do {
      let request: LookRequest
      do { request = try JSONDecoder().decode(LookRequest.self, from: line) } catch {
        throw Refusal(words: "A request is one line of JSON such as {\"ask\":\"tree\"}; this line is none.")
      }
      return try answer(request)
    } catch let refusal as Refusal {
      return failure(refusal.words)
    } catch {
      return failure((error as NSError).localizedDescription)
    }
  }

  func failure(_ words: String) -> Data { (try? encoder.encode(["error": words])) ?? Data("{\"error\":\"\"}".utf8) }

  private mutating func answer(_ request: LookRequest) throws -> Data {
    let limit = min(max(request.limit ?? 200, 0), 1000)
    switch request.ask {
    case .tree: return try encoder.encode(TreeLook.tree(program, scope))
    case .changes:
      return try asked(request, busy: { LookedChanges(busy: $0) }) { PendingLook.changes($0, limit: limit) }
    case .objects:
      return try asked(request, busy: { LookedObjects(busy: $0) }) { ObjectsLook.objects($0, limit: limit) }
    case .matches:
      guard let format = request.predicate else { throw Refusal(words: "\"matches\" needs a \"predicate\".") }
      let look = try PredicateLook(
        format, entity: request.entity, limit: 10_000, seconds: scope.patience * PredicateLook.share)
      return try asked(request, busy: { LookedMatches(busy: $0) }) { look.matches($0) }
    case .events: return try encoder.encode(LiveFeed.shared.events(from: request.from))
    case .record:
      guard let file = request.file, file.hasPrefix("/") else {
        throw Refusal(words: "\"record\" needs the whole path of a \"file\".")
      }
      try CoreDataInstruments.startRecording(to: URL(fileURLWithPath: file))
      recording = file
      return try encoder.encode(["file": file])
    case .stop:
      guard CoreDataInstruments.isRecording else { throw Refusal(words: "No recording is running.") }
      CoreDataInstruments.stopRecording()
      defer { recording = nil }
      return try encoder.encode(["file": recording ?? ""])
    }
  }

  private func asked<Answer: Encodable & Sendable>(
    _ request: LookRequest, busy: (String) -> Answer, _ question: @escaping @Sendable (NSManagedObjectContext) -> Answer
  ) throws -> Data {
    guard let id = request.context else { throw Refusal(words: "\"\(request.ask)\" needs the id of a \"context\".") }
    guard let context = LiveObjects.contexts(in: scope).first(where: { $0.id == id }) else {
      throw Refusal(words: "There is no context \(id) any more.")
    }
    let answer = ContextQuestion.ask([context], patience: scope.patience, question)[0]
    return try encoder.encode(answer ?? busy(TreeLook.busy(context)))
  }

  private var program: LookedProgram {
    let counters = CoreDataInstruments.counters
    let memory = CoreDataInstruments.memory(countingFaultsUpTo: TreeLook.countedObjects)
    let queues = LiveObjects.contexts(in: scope).map { (ObjectIdentifier($0.turns), $0.address) }
    let names = Dictionary(queues) { first, _ in first }
    return LookedProgram(
      process: getpid(), program: CommandLine.arguments.first ?? "", isRecording: CoreDataInstruments.isRecording,
      recording: CoreDataInstruments.isRecording ? recording : nil,
      counters: .init(
        statements: counters.statements, selects: counters.selects, rowsRead: counters.rowsRead,
        faultsFired: counters.faultsFired, cacheHits: counters.cacheHits),
      memory: .init(
        objects: memory.objects, faults: memory.faults, rowCacheBytes: memory.rowCacheBytes,
        residentBytes: memory.residentBytes, peakResidentBytes: memory.peakResidentBytes),
      waiting: WaitGraph.all.map { thread, wanted in
        .init(
          thread: thread, context: wanted.flatMap { names[$0] }.map(LookedID.text), forMainQueue: wanted == nil)
      })
  }
}
