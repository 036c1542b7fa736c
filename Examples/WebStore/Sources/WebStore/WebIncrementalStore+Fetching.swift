import CoreData
import Foundation
import WebProtocol

// Fetches: as much of them as the protocol can say, and the rest here.
extension WebIncrementalStore {
  func answer(_ request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext) throws -> Any {
    guard let entity = request.entity else { return [NSManagedObject]() }
    let question = FetchQuestion(request, entity, try place.limits, identify: identify)
    switch request.resultType {
    case .countResultType:
      if question.isWhole {
        var message = question.message
        message.answer = .count
        let answer: QueryAnswer = try place.connection.post("query", message)
        return [NSNumber(value: answer.count ?? 0)]
      }
      return [NSNumber(value: try identifiers(question).count)]
    case .dictionaryResultType: return try dictionaries(question, request, entity)
    default:
      let found = try identifiers(question)
      return request.resultType == .managedObjectIDResultType ? found : found.map { context.object(with: $0) }
    }
  }

  private func identifiers(_ question: FetchQuestion) throws -> [NSManagedObjectID] {
    var found: [NSManagedObjectID] = []
    try collect(question, begin: { found = [] }) { found.append($0.objectID) }
    return found
  }

  /// Finds the objects of a fetch, in its order.
  /// - Parameters:
  ///   - begin: called before the first object, and again if the service has to be asked once more from the beginning.
  ///   - each: called with every object, and its document if it came or is known.
  func collect(
    _ question: FetchQuestion, begin: () -> Void,
    each: ((objectID: NSManagedObjectID, document: Document?)) throws -> Void
  ) throws {
    if question.isWhole {
      return try asked(question.message, question.batchSize, begin: begin) { page in
        for (id, document) in page { try each((try objectID(id), document)) }
        return true
      }
    }
    let connection = try place.connection
    if let rest = question.rest { connection.note { $0.note("filtered here: \(rest)") } }
    if question.order != nil { connection.note { $0.note("sorted here: its order has no name") } }
    // Objects of a context that nobody changes.
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = persistentStoreCoordinator
    let mayStop = question.limit > 0 && question.order == nil && !question.countsDistinct
    let last = mayStop ? question.offset + question.limit : Int.max
    try reader.performAndWait {
      var found: [(object: NSManagedObject, document: Document?)] = []
      try asked(question.message, 0, begin: { found = [] }) { page in
        for (id, document) in page {
          let object = reader.object(with: try objectID(id))
          if question.rest?.evaluate(with: object) ?? true { found.append((object, document)) }
        }
        return found.count < last
      }
      if let order = question.order {
        let documents = Dictionary(found.map { ($0.object.objectID, $0.document) }) { first, _ in first }
        let objects = (found.map(\.object) as NSArray).sortedArray(using: order)
        found = objects.compactMap { $0 as? NSManagedObject }.map { ($0, documents[$0.objectID] ?? nil) }
      }
      begin()
      for (object, document) in question.countsDistinct ? found : question.window(found) {
        try each((object.objectID, document))
      }
    }
  }

  private typealias Page = [(id: String, document: Document?)]

  /// Asks for page after page, as long as `body` wants more. If the service has no next page any more, it is asked again from the
  /// beginning; while it is away, the answer is that which it gave last.
  private func asked(
    _ message: QueryMessage, _ batchSize: Int, begin: () -> Void, _ body: (Page) throws -> Bool
  ) throws {
    let place = try place
    let encoder = JSONEncoder()
    // The same question has the same text, by which its last answer is found.
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(message), as: UTF8.self)
    var ids: [String] = []
    var attempts = 3
    while true {
      do {
        begin()
        // What ends before the last page is no answer to keep.
        guard let whole = try pages(message, body) else { return }
        ids = whole
        break
      } catch let no as StatusError where no.status == 410 && attempts > 1 {
        attempts -= 1
      } catch let away as AwayError {
        guard let known = memory.withLock({ $0.cache.answer(to: text) }) else { throw away }
        place.connection.note { $0.answeredFromMemory += 1 }
        begin()
        let documents = memory.withLock { memory in known.map { (id: $0, document: memory.cache.document($0)) } }
        _ = try body(documents)
        return
      }
    }
    memory.withLock { memory in
      if message.answer == .ids {
        let size = batchSize > 0 ? min(batchSize, place.limits.pageSize) : place.options.companySize
        memory.cache.gather(ids, size: size)
      }
      memory.cache.keep(ids, for: text)
    }
  }

  /// - Returns: the IDs of all pages; nil if `body` wanted no more before the last one.
  private func pages(_ message: QueryMessage, _ body: (Page) throws -> Bool) throws -> [String]? {
    func rows(_ answer: QueryAnswer) -> Int { (answer.documents?.count ?? 0) + (answer.included?.count ?? 0) }
    let connection = try place.connection
    var ids: [String] = []
    // All pages are of the moment of the first one.
    let asked = cacheOrder
    var answer: QueryAnswer = try connection.post("query", message, rows: rows)
    while true {
      keep(answer.included ?? [], asked: asked)
      keep(answer.documents ?? [], asked: asked)
      let page: Page = answer.ids?.map { ($0, nil) } ?? answer.documents?.map { ($0.id, $0) } ?? []
      ids += page.map(\.id)
      guard try body(page) else { return nil }
      guard let next = answer.next else { return ids }
      answer = try connection.get("pages/\(next)", rows: rows)
    }
  }
}
