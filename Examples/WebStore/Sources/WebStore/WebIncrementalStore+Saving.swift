import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

/// A save of which nobody knows whether the service has carried it out.
struct Doubt {
  let message: SaveMessage
  /// The context that saved, and will save the same again.
  let context: ObjectIdentifier
  /// Whether the service was asked since, and has carried it out.
  var isDone = false
}

// A save is one request. Its name is how the service knows it again, so that it may be sent twice.
extension WebIncrementalStore {
  func write(_ request: NSSaveChangesRequest, _ context: NSManagedObjectContext) throws {
    let (inserted, updated) = (request.insertedObjects ?? [], request.updatedObjects ?? [])
    let (deleted, locked) = (request.deletedObjects ?? [], request.lockedObjects ?? [])
    if inserted.isEmpty, updated.isEmpty, deleted.isEmpty, locked.isEmpty { return }
    try settleDoubts()
    var message = SaveMessage(request: UUID().uuidString)
    message.inserted = try inserted.map(insertion)
    message.updated = try updated.map(update)
    message.deleted = deleted.compactMap(untouched)
    message.locked = locked.compactMap(untouched)
    let doubts = memory.withLock { $0.doubts.filter { $0.isDone && $0.context == ObjectIdentifier(context) } }
    for doubt in doubts { Self.takeUp(doubt, in: &message) }
    let answer: SaveAnswer
    do {
      answer = try place.connection.post("save", message)
    } catch let away as AwayError {
      guard away.mayHaveArrived else {
        throw NSError(
          web: .away, "\(away.error.localizedDescription) Nothing was saved, and the context keeps its changes.",
          underlying: away.error.userInfo[NSUnderlyingErrorKey] as? NSError)
      }
      memory.withLock { $0.doubts.append(Doubt(message: message, context: ObjectIdentifier(context))) }
      throw NSError(
        web: .inDoubt,
        "The service did not answer, and may have saved or not. The context keeps its changes; saving again finds out.",
        underlying: away.error.userInfo[NSUnderlyingErrorKey] as? NSError)
    } catch let no as StatusError {
      throw try error(no, Array(inserted) + updated + deleted + locked)
    }
    finish(message, answer, inserted, updated)
    memory.withLock { $0.doubts.removeAll { $0.isDone && $0.context == ObjectIdentifier(context) } }
  }

  private func finish(
    _ message: SaveMessage, _ answer: SaveAnswer, _ inserted: Set<NSManagedObject>, _ updated: Set<NSManagedObject>
  ) {
    // Core Data counts a new row as version 1, and each update as one more.
    var expected: [String: Int64] = [:]
    for object in inserted { if let id = identify(object.objectID) { expected[id] = 1 } }
    for object in updated { if let id = identify(object.objectID) { expected[id] = object.rowVersion + 1 } }
    let moment = Date()
    memory.withLock { memory in
      for change in message.inserted + message.updated {
        guard let version = answer.versions[change.id] else { continue }
        memory.cache.apply(change, version: version, at: moment)
        let shift = (expected[change.id] ?? version) - version
        memory.shifts[change.id] = shift == 0 ? nil : shift
      }
      memory.cache.forget(message.deleted.map(\.id))
      memory.cache.distrustMembers()
    }
  }

  // MARK: Changes

  private func insertion(_ object: NSManagedObject) throws -> SaveMessage.Change {
    try change(object, version: nil, names: Set(object.entity.propertiesByName.keys))
  }

  private func update(_ object: NSManagedObject) throws -> SaveMessage.Change {
    try change(object, version: version(object), names: Set(object.changedValues().keys))
  }

  private func untouched(_ object: NSManagedObject) -> SaveMessage.Change? {
    identify(object.objectID).map { SaveMessage.Change(id: $0, version: version(object)) }
  }

  /// The version that an object was read in, as the service counts; nil for a fault, which has read nothing.
  private func version(_ object: NSManagedObject) -> Int64? {
    guard object.rowVersion > 0, let id = identify(object.objectID) else { return nil }
    return object.rowVersion - memory.withLock { $0.shifts[id] ?? 0 }
  }

  private func change(_ object: NSManagedObject, version: Int64?, names: Set<String>) throws -> SaveMessage.Change {
    let isNew = version == nil
    var change = SaveMessage.Change(id: try name(object), version: version)
    var (values, one, many) = ([String: JSON](), [String: String?](), [String: SaveMessage.Members]())
    for (name, attribute) in object.entity.attributesByName
    where names.contains(name) && !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      values[name] = try AttributeCoding.json(object.value(forKey: name), of: attribute)
    }
    for (name, relationship) in object.entity.relationshipsByName
    where names.contains(name) && !relationship.isTransient {
      if relationship.isToMany {
        if let members = try members(of: object, relationship, isNew: isNew) { many[name] = members }
      } else {
        one.updateValue(try (object.value(forKey: name) as? NSManagedObject).map(self.name), forKey: name)
      }
    }
    (change.values, change.one, change.many) = (values, one, many)
    return change
  }

  /// The members to send; nil where the other end says the same.
  private func members(
    of object: NSManagedObject, _ relationship: NSRelationshipDescription, isNew: Bool
  ) throws -> SaveMessage.Members? {
    var members = SaveMessage.Members()
    let value = object.value(forKey: relationship.name)
    if relationship.isOrdered {
      let all = try ((value as? NSOrderedSet)?.array ?? []).compactMap { try ($0 as? NSManagedObject).map(name) }
      members.all = all
      return isNew && all.isEmpty ? nil : members
    }
    if let inverse = relationship.inverseRelationship {
      if !inverse.isToMany || inverse.isOrdered { return nil }
      // Both ends have changed: that with the lesser name tells it.
      if relationship.path > inverse.path { return nil }
    }
    let now = try Set(((value as? NSSet)?.allObjects ?? []).compactMap { try ($0 as? NSManagedObject).map(name) })
    let stored = isNew ? nil : object.committedValues(forKeys: [relationship.name])[relationship.name] as? NSSet
    let before = Set(
      (stored?.allObjects ?? []).compactMap { ($0 as? NSManagedObject).flatMap { identify($0.objectID) } })
    (members.added, members.removed) = (now.subtracting(before).sorted(), before.subtracting(now).sorted())
    return now == before ? nil : members
  }

  private func name(_ object: NSManagedObject) throws -> String {
    if let id = identify(object.objectID) { return id }
    throw ProtocolError("The object \(object.objectID) is not one of this service's.")
  }

  // MARK: Conflicts and doubts

  /// The error for a save that the service has refused.
  private func error(_ no: StatusError, _ objects: [NSManagedObject]) throws -> NSError {
    let failure = no.failure
    let byID = Dictionary(objects.compactMap { object in identify(object.objectID).map { ($0, object) } }) { first, _ in
      first
    }
    guard failure.code == NSManagedObjectMergeError else {
      let error = NSError(failure, status: no.status)
      guard let first = failure.invalid?.first else { return error }
      var userInfo = error.userInfo
      userInfo[NSValidationKeyErrorKey] = first.key
      userInfo[NSValidationObjectErrorKey] = first.id.flatMap { byID[$0] }
      return NSError(domain: error.domain, code: error.code, userInfo: userInfo)
    }
    let documents = failure.conflicts ?? [], gone = failure.gone ?? []
    keep(documents)
    memory.withLock { $0.cache.forget(gone) }
    forgetRows(of: (documents.map(\.id) + gone).compactMap { byID[$0]?.objectID })
    var conflicts: [NSMergeConflict] = []
    for document in documents {
      guard let object = byID[document.id] else { continue }
      let shift = memory.withLock { $0.shifts[document.id] ?? 0 }
      let row = try values(document, object.entity)
      conflicts.append(
        NSMergeConflict(
          source: object, newVersion: Int(document.version + shift), oldVersion: Int(object.rowVersion),
          cachedSnapshot: object.committedValues(forKeys: Array(row.keys)), persistedSnapshot: row))
    }
    for id in gone {
      guard let object = byID[id] else { continue }
      conflicts.append(
        NSMergeConflict(
          source: object, newVersion: 0, oldVersion: Int(object.rowVersion), cachedSnapshot: nil, persistedSnapshot: nil
        ))
    }
    return NSError(
      domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError,
      userInfo: [
        NSLocalizedDescriptionKey: failure.message, NSPersistentStoreSaveConflictsErrorKey: conflicts,
        NSAffectedObjectsErrorKey: conflicts.map(\.sourceObject),
      ])
  }

  /// Asks what became of saves without an answer. What the service has not carried out by then it never will.
  private func settleDoubts() throws {
    let open = memory.withLock { $0.doubts.filter { !$0.isDone }.map(\.message.request) }
    for request in open {
      var isDone = true
      do {
        let _: SaveAnswer = try place.connection.get("saves/\(request)")
      } catch let no as StatusError where no.status == 404 { isDone = false }
      memory.withLock { memory in
        guard let index = memory.doubts.firstIndex(where: { $0.message.request == request }) else { return }
        if isDone { memory.doubts[index].isDone = true } else { memory.doubts.remove(at: index) }
      }
    }
  }

  /// Makes a save of one that follows another, which was carried out and whose changes the context still has.
  private static func takeUp(_ doubt: Doubt, in message: inout SaveMessage) {
    let rows = Dictionary(
      (doubt.message.inserted + doubt.message.updated).map { ($0.id, ($0.version ?? 0, ($0.version ?? 0) + 1)) }
    ) { first, _ in first }
    let there = Set(doubt.message.inserted.map(\.id)), gone = Set(doubt.message.deleted.map(\.id))
    func followed(_ change: SaveMessage.Change) -> SaveMessage.Change {
      var change = change
      if let (before, after) = rows[change.id], change.version ?? 0 == before { change.version = after }
      return change
    }
    message.updated = (message.inserted.filter { there.contains($0.id) } + message.updated).map(followed)
    message.inserted.removeAll { there.contains($0.id) }
    message.deleted = message.deleted.filter { !gone.contains($0.id) }.map(followed)
    message.locked = message.locked.map(followed)
  }
}
