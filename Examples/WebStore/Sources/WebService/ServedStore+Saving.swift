import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

// IDs ahead of saves, and saves: each in one transaction, and once.
extension ServedStore {
  func ids(_ message: IDsMessage) async throws -> IDsAnswer {
    var total = 0
    for (name, count) in message.counts {
      let entity = try entity(name)
      if entity.isAbstract { throw ServiceError(400, "\(name) is abstract.") }
      guard count >= 0, count <= limits.ids else {
        throw ServiceError(400, "\(count) IDs of \(name): 0 to \(limits.ids) are given.")
      }
      total += count
    }
    if total > limits.ids { throw ServiceError(400, "\(total) IDs: \(limits.ids) are given at once.") }
    let context = newContext()
    return try await context.perform { [self] in
      defer { context.reset() }
      return IDsAnswer(
        ids: try message.counts.reduce(into: [:]) { $0[$1.key] = try newIDs(try entity($1.key), $1.value, context) })
    }
  }

  func newIDs(_ entity: NSEntityDescription, _ count: Int, _ context: NSManagedObjectContext) throws -> [String] {
    let objects = (0..<count).map { _ in NSManagedObject(entity: entity, insertInto: context) }
    try context.obtainPermanentIDs(for: objects)
    if let last = objects.map({ $0.objectID.primaryKey }).max() {
      given.withLock { $0[Self.root(entity).name ?? ""] = max($0[Self.root(entity).name ?? ""] ?? 0, last) }
    }
    return objects.map { Self.name($0.objectID) }
  }

  /// Whether a save was carried out. One that was not will not be any more, as long as this process runs: the asker does without it.
  func outcome(_ request: String) async throws -> SaveAnswer {
    guard UUID(uuidString: request)?.uuidString == request else {
      throw ServiceError(400, "A UUID in capitals is expected.")
    }
    return try await writer.perform { [self] in
      if let answer = try carriedOut(request, nil) { return answer }
      saves.withLock { $0.refuse(request) }
      throw ServiceError(gone: request, "The save \(request) was not carried out.")
    }
  }

  func save(_ message: SaveMessage) async throws -> SaveAnswer {
    guard UUID(uuidString: message.request)?.uuidString == message.request else {
      throw ServiceError(400, "request: a UUID in capitals is expected.")
    }
    return try await writer.perform { [self] in
      if let answer = try carriedOut(message.request, message) { return answer }
      if saves.withLock({ $0.isRefused(message.request) }) {
        throw ServiceError(410, "The save \(message.request) was asked about before it came, and is not carried out.")
      }
      writer.reset()
      defer { writer.reset() }
      writer.transactionAuthor = Self.author(message.request)
      do {
        let written = try write(message)
        try writer.save()
        saveCount.withLock { $0 += 1 }
        let versions = written.map { (Self.name($0.objectID), $0.rowVersion) }
        let answer = SaveAnswer(versions: Dictionary(versions) { first, _ in first })
        saves.withLock { $0.note(answer, of: message.request) }
        return answer
      } catch let error as ServiceError {
        throw error
      } catch let error as ProtocolError {
        throw ServiceError(400, error.description)
      } catch { throw refusal(error as NSError) }
    }
  }

  private static func author(_ request: String) -> String { "web \(request.uppercased())" }

  /// The answer to a save that was carried out before; nil for one that was not.
  private func carriedOut(_ request: String, _ message: SaveMessage?) throws -> SaveAnswer? {
    if let answer = saves.withLock({ $0.answer(to: request) }) { return answer }
    guard let fetch = NSPersistentHistoryTransaction.fetchRequest else { return nil }
    fetch.predicate = NSPredicate(format: "author == %@", Self.author(request))
    let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    history.resultType = .transactionsOnly
    let result = try writer.execute(history) as? NSPersistentHistoryResult
    guard let transactions = result?.result as? [NSPersistentHistoryTransaction], !transactions.isEmpty else {
      return nil
    }
    // Others may have written since: the versions are those that this save made.
    let versions = (message.map { $0.inserted + $0.updated } ?? []).map { ($0.id, ($0.version ?? 0) + 1) }
    return SaveAnswer(versions: Dictionary(versions) { first, _ in first })
  }
}
