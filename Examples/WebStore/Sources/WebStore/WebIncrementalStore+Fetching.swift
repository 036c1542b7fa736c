import CoreData
import Foundation
import WebProtocol

// Fetches: as much of them as the protocol can say, and the rest here.
extension WebIncrementalStore {
  func answer(_ request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext) throws -> Any {
    guard let entity = request.entity else { return [NSManagedObject]() }
    let question = try Question(request, entity, identify: identify)
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

  /// A fetch, as it is put to the service.
  private struct Question {
    var message: QueryMessage
    /// What has to be checked, and put in order, here.
    let rest: NSPredicate?
    let order: [NSSortDescriptor]?
    let limit: Int
    let offset: Int
    let batchSize: Int

    /// Whether the service's answer is the answer.
    var isWhole: Bool { rest == nil && order == nil }

    init(
      _ request: NSFetchRequest<any NSFetchRequestResult>, _ entity: NSEntityDescription,
      identify: (NSManagedObjectID) -> String?
    ) throws {
      message = QueryMessage(entity: entity.name ?? "")
      message.subentities = request.includesSubentities
      let split = PredicateCoding.split(request.predicate, identify: identify)
      (message.predicate, rest) = (split.said, split.rest)
      let said = (request.sortDescriptors ?? []).map { OrderCoding.order($0) }
      let orders = said.compactMap { $0 }
      if orders.count == said.count {
        message.sort = orders.isEmpty ? nil : orders
        order = nil
      } else {
        order = request.sortDescriptors
      }
      (limit, offset, batchSize) = (request.fetchLimit, request.fetchOffset, request.fetchBatchSize)
      if isWhole, !(request.resultType == .dictionaryResultType && request.returnsDistinctResults) {
        message.limit = limit > 0 ? limit : nil
        message.offset = offset > 0 ? offset : nil
      }
      let paths = request.relationshipKeyPathsForPrefetching ?? []
      message.include = paths.isEmpty ? nil : paths
      // A page is read when it is needed: the service says who is in the result. A program that prefetches reads all of it.
      let wantsFew = request.fetchBatchSize > 0 || !request.includesPropertyValues
      if request.resultType == .managedObjectResultType, wantsFew, paths.isEmpty, isWhole { message.answer = .ids }
    }
  }

  private func identifiers(_ question: Question) throws -> [NSManagedObjectID] {
    if question.isWhole { return try asked(question.message, question.batchSize) { _ in true }.map(objectID) }
    let connection = try place.connection
    if let rest = question.rest { connection.note { $0.note("filtered here: \(rest)") } }
    if question.order != nil { connection.note { $0.note("sorted here: its order has no name") } }
    // Objects of a context that nobody changes.
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = persistentStoreCoordinator
    let last = question.limit > 0 && question.order == nil ? question.offset + question.limit : Int.max
    return try reader.performAndWait {
      var found: [NSManagedObject] = []
      _ = try asked(question.message, 0) { page in
        for id in page {
          let object = reader.object(with: try objectID(id))
          if question.rest?.evaluate(with: object) ?? true { found.append(object) }
        }
        return found.count < last
      }
      if let order = question.order {
        found = (found as NSArray).sortedArray(using: order).compactMap { $0 as? NSManagedObject }
      }
      return found.dropFirst(question.offset).prefix(question.limit > 0 ? question.limit : .max).map(\.objectID)
    }
  }

  /// Asks for page after page, as long as `body` wants more. While the service is away, the answer is that which it gave last.
  private func asked(_ message: QueryMessage, _ batchSize: Int, _ body: ([String]) throws -> Bool) throws -> [String] {
    let place = try place
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(message), as: UTF8.self)
    func rows(_ answer: QueryAnswer) -> Int { (answer.documents?.count ?? 0) + (answer.included?.count ?? 0) }
    var ids: [String] = []
    do {
      var answer: QueryAnswer = try place.connection.post("query", message, rows: rows)
      while true {
        keep(answer.included ?? [])
        keep(answer.documents ?? [])
        let page = answer.ids ?? answer.documents?.map(\.id) ?? []
        ids += page
        // What ends before the last page is no answer to keep.
        guard try body(page) else { return ids }
        guard let next = answer.next else { break }
        answer = try place.connection.get("pages/\(next)", rows: rows)
      }
    } catch let away as AwayError {
      // Pages that were told already are told no second time.
      guard ids.isEmpty, let known = memory.withLock({ $0.cache.answer(to: text) }) else { throw away }
      place.connection.note { $0.answeredFromMemory += 1 }
      _ = try body(known)
      return known
    }
    if message.answer == .ids {
      let size = batchSize > 0 ? min(batchSize, place.pageSize) : place.options.companySize
      memory.withLock { $0.cache.gather(ids, size: size) }
    }
    memory.withLock { $0.cache.keep(ids, for: text) }
    return ids
  }

  // MARK: Dictionaries

  private func dictionaries(
    _ question: Question, _ request: NSFetchRequest<any NSFetchRequestResult>, _ entity: NSEntityDescription
  ) throws -> [[String: Any]] {
    let names = try (request.propertiesToFetch ?? entity.attributesByName.keys.sorted()).map { property in
      let name = property as? String ?? (property as? NSPropertyDescription)?.name ?? ""
      let relationship = entity.relationshipsByName[name]
      guard !(property is NSExpressionDescription), request.propertiesToGroupBy?.isEmpty ?? true,
        request.havingPredicate == nil,
        entity.attributesByName[name] != nil || relationship?.isToMany == false
      else {
        throw NSError(
          web: .unsupported,
          "A web store makes dictionaries of attributes and to-one relationships, not of “\(name)” or of groups.")
      }
      return name
    }
    let found = try identifiers(question)
    let rows = try found.map { identifier in
      guard let id = identify(identifier), let document = memory.withLock({ $0.cache.document(id) }) else {
        return [String: Any]()
      }
      return try values(document, identifier.entity).filter { names.contains($0.key) && !($0.value is NSNull) }
    }
    if !request.returnsDistinctResults { return rows }
    let distinct = NSOrderedSet(array: rows.map { NSDictionary(dictionary: $0) }).array.compactMap {
      $0 as? [String: Any]
    }
    return Array(distinct.dropFirst(question.offset).prefix(question.limit > 0 ? question.limit : .max))
  }
}
