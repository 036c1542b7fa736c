import CoreData
import Foundation
import WebProtocol

// Queries, whose results come whole or in pages.
extension ServedStore {
  func query(_ message: QueryMessage) async throws -> QueryAnswer {
    let context = newContext()
    // All pages show the store as it is now.
    try await context.perform { try context.setQueryGenerationFrom(NSQueryGenerationToken.current) }
    return try await context.perform { [self] in
      let request = try request(message)
      if message.answer == .count {
        var answer = QueryAnswer()
        answer.count = try telling { try context.count(for: request) }
        return answer
      }
      request.resultType = .managedObjectIDResultType
      request.includesPropertyValues = false
      let identifiers = try telling { try context.fetch(request) }.compactMap { $0 as? NSManagedObjectID }
      if message.answer == .ids {
        var answer = QueryAnswer()
        answer.ids = identifiers.map(Self.name)
        return answer
      }
      let result = OpenPages.Result(context: context, identifiers: identifiers, include: message.include ?? [])
      let isLarge = identifiers.count > limits.pageSize
      return try page(at: 0, of: result, isLarge ? pages.keep(result) : nil)
    }
  }

  /// The page of that name, which may be asked for again.
  func page(_ name: String) async throws -> QueryAnswer {
    guard let (name, result, position) = pages.find(name) else {
      throw ServiceError(410, "There is no page “\(name.prefix(100))” any more: ask again for the first one.")
    }
    return try await result.context.perform { [self] in try page(at: position, of: result, name) }
  }

  private func page(at position: Int, of result: OpenPages.Result, _ name: String?) throws -> QueryAnswer {
    var answer = QueryAnswer()
    let identifiers = result.identifiers[position...].prefix(limits.pageSize)
    let objects = try fetch(Array(identifiers), in: result.context)
    let along = try Along(objects, result.include, limits.included)
    answer.documents = try objects.map { try document($0, along.lists[$0] ?? []) }
    answer.included = along.objects.isEmpty ? nil : try along.objects.map { try document($0, along.lists[$0] ?? []) }
    result.context.refreshAllObjects()
    guard let name else { return answer }
    if identifiers.endIndex < result.identifiers.endIndex {
      answer.next = OpenPages.page(identifiers.endIndex, of: name)
    } else {
      pages.noteRead(name)
    }
    return answer
  }

  private func request(_ message: QueryMessage) throws -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = try entity(message.entity)
    request.includesSubentities = message.subentities
    do {
      request.predicate = try message.predicate.map { try PredicateCoding.predicate($0, limits, find: objectID) }
      request.sortDescriptors = try message.sort?.map(OrderCoding.descriptor)
    } catch let error as ProtocolError { throw ServiceError(400, error.description) }
    guard (message.limit ?? 0) >= 0, (message.offset ?? 0) >= 0 else {
      throw ServiceError(400, "limit and offset are not below 0.")
    }
    (request.fetchLimit, request.fetchOffset) = (message.limit ?? 0, message.offset ?? 0)
    return request
  }

  /// What the framework refuses of a predicate or an order from outside is the asker's mistake.
  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as NSError where error.code == NSCoreDataError {
      throw ServiceError(400, error.localizedDescription, code: error.code)
    }
  }
}
