import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

/// The saves that were carried out last, by the names of their requests, and those that must not be any more.
struct FinishedSaves {
  private var answers: [String: SaveAnswer] = [:]
  private var refused: Set<String> = []

  mutating func note(_ answer: SaveAnswer, of request: String) {
    if answers.count >= 1000 { answers.removeAll() }
    answers[request] = answer
  }

  mutating func refuse(_ request: String) {
    if refused.count >= 100_000 { refused.removeAll() }
    refused.insert(request)
  }

  func answer(to request: String) -> SaveAnswer? { answers[request] }

  func isRefused(_ request: String) -> Bool { refused.contains(request) }
}

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

  private func newIDs(_ entity: NSEntityDescription, _ count: Int, _ context: NSManagedObjectContext) throws -> [String]
  {
    let objects = (0..<count).map { _ in NSManagedObject(entity: entity, insertInto: context) }
    try context.obtainPermanentIDs(for: objects)
    if let last = objects.map({ $0.objectID.primaryKey }).max() {
      given.withLock { $0[Self.root(entity).name ?? ""] = max($0[Self.root(entity).name ?? ""] ?? 0, last) }
    }
    return objects.map { Self.name($0.objectID) }
  }

  /// Whether a save was carried out. One that was not will not be any more: the asker does without it from now on.
  func outcome(_ request: String) async throws -> SaveAnswer {
    guard UUID(uuidString: request)?.uuidString == request else {
      throw ServiceError(400, "A UUID in capitals is expected.")
    }
    return try await writer.perform { [self] in
      if let answer = try carriedOut(request, nil) { return answer }
      saves.withLock { $0.refuse(request) }
      throw ServiceError(404, "The save \(request.prefix(100)) was not carried out.")
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

  // MARK: Changes

  /// Makes the changes in the writer.
  /// - Returns: the objects that are inserted and updated.
  private func write(_ message: SaveMessage) throws -> [NSManagedObject] {
    let old = message.updated + message.deleted + message.locked
    var named: Set<String> = []
    for change in message.inserted + old where !named.insert(change.id).inserted {
      throw ServiceError(400, "\(change.id) is in the save twice.")
    }
    var objects = try existing(old.map(\.id) + message.inserted.map(\.id), in: writer)
    try findConflicts(message, objects)
    for change in message.inserted { objects[change.id] = try insert(change) }
    for change in message.inserted + message.updated {
      guard let object = objects[change.id] else { continue }
      try set(change, object, objects)
    }
    for change in message.deleted { if let object = objects[change.id] { writer.delete(object) } }
    return (message.inserted + message.updated).compactMap { objects[$0.id] }
  }

  private func findConflicts(_ message: SaveMessage, _ objects: [String: NSManagedObject]) throws {
    var failure = Failure("Others have changed what this save writes.", code: NSManagedObjectMergeError)
    var (conflicts, gone) = ([Document](), [String]())
    for change in message.updated + message.deleted + message.locked {
      if let object = objects[change.id] {
        if let version = change.version, version != object.rowVersion { conflicts.append(try document(object)) }
      } else if change.version != nil {
        gone.append(change.id)
      }
    }
    // What both sides have deleted is no conflict.
    gone.removeAll { id in message.deleted.contains { $0.id == id } }
    for change in message.inserted { if let object = objects[change.id] { conflicts.append(try document(object)) } }
    if conflicts.isEmpty, gone.isEmpty { return }
    (failure.conflicts, failure.gone) = (conflicts, gone)
    throw ServiceError(409, failure)
  }

  private func insert(_ change: SaveMessage.Change) throws -> NSManagedObject {
    let identifier = try objectID(change.id)
    let entity = identifier.entity, root = Self.root(entity).name ?? ""
    if entity.isAbstract { throw ServiceError(400, "\(change.id): the entity is abstract.") }
    if identifier.primaryKey > given.withLock({ $0[root] ?? 0 }) {
      // It may have been given out before the service was started; the numbers that are given out from now on are greater.
      let context = newContext()
      let next = try context.performAndWait {
        defer { context.reset() }
        return try newIDs(entity, 1, context)
      }
      if try next.allSatisfy({ identifier.primaryKey >= (try objectID($0)).primaryKey }) {
        throw ServiceError(400, "\(change.id): the service has given out no such ID. POST /ids gives some.")
      }
    }
    let object = NSManagedObject(entity: entity, insertInto: writer)
    writer.give(identifier, to: object)
    return object
  }

  private func set(_ change: SaveMessage.Change, _ object: NSManagedObject, _ objects: [String: NSManagedObject]) throws
  {
    func member(_ id: String, _ relationship: NSRelationshipDescription) throws -> NSManagedObject {
      let member = try objects[id] ?? writer.object(with: objectID(id))
      guard let wanted = relationship.destinationEntity, member.entity.isKindOf(entity: wanted) else {
        throw ServiceError(400, "\(change.id).\(relationship.name): \(id) is of the wrong entity.")
      }
      return member
    }
    func relationship(_ name: String, toMany: Bool) throws -> NSRelationshipDescription {
      if let found = object.entity.relationshipsByName[name], found.isToMany == toMany, !found.isTransient {
        return found
      }
      throw ServiceError(
        400, "\(change.id): there is no \(toMany ? "to-many" : "to-one") relationship “\(name.prefix(100))”.")
    }
    for (name, json) in change.values ?? [:] {
      guard let attribute = object.entity.attributesByName[name], !attribute.isTransient,
        !(attribute is NSDerivedAttributeDescription)
      else { throw ServiceError(400, "\(change.id): there is no attribute “\(name.prefix(100))” that could be set.") }
      object.setValue(try AttributeCoding.value(json, of: attribute), forKey: name)
    }
    for (name, id) in change.one ?? [:] {
      let description = try relationship(name, toMany: false)
      object.setValue(try id.map { try member($0, description) }, forKey: name)
    }
    for (name, members) in change.many ?? [:] {
      let description = try relationship(name, toMany: true)
      guard (members.all != nil) == description.isOrdered,
        members.all == nil || members.added == nil && members.removed == nil
      else {
        throw ServiceError(
          400,
          "\(change.id).\(name): \(description.isOrdered ? "all, the members in their order," : "added and removed") is expected."
        )
      }
      if let all = members.all {
        object.setValue(NSOrderedSet(array: try all.map { try member($0, description) }), forKey: name)
        continue
      }
      let set = object.mutableSetValue(forKey: name)
      for id in members.removed ?? [] { set.remove(try member(id, description)) }
      for id in members.added ?? [] { set.add(try member(id, description)) }
    }
  }

  /// What a save that the framework refuses is answered with.
  private func refusal(_ error: NSError) -> ServiceError {
    var failure = Failure(error.localizedDescription, code: error.domain == NSCocoaErrorDomain ? error.code : nil)
    let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    failure.invalid = parts.compactMap { part in
      guard
        (NSManagedObjectValidationError..<NSPersistentStoreInvalidTypeError).contains(part.code)
          || (1550..<1700).contains(part.code)
      else { return nil }
      let object = part.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
      return Failure.Invalid(
        id: object.map { Self.name($0.objectID) }, key: part.userInfo[NSValidationKeyErrorKey] as? String,
        code: part.code,
        message: part.localizedDescription)
    }
    switch error.code {
    case NSManagedObjectMergeError, NSManagedObjectConstraintMergeError: return ServiceError(409, failure)
    default: return ServiceError(failure.invalid?.isEmpty == false ? 422 : 500, failure)
    }
  }
}
