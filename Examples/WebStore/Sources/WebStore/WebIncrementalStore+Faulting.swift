import CoreData
import Foundation
import WebProtocol

// Values and members of objects: from what has come already, else from the service, else from what was read before.
extension WebIncrementalStore {
  /// When a row may have been read at the earliest for a context to be content with it; nil for any time.
  private func oldest(_ context: NSManagedObjectContext?) -> Date? {
    guard let interval = context?.stalenessInterval, interval >= 0 else { return nil }
    return Date(timeIntervalSinceNow: -interval)
  }

  func node(_ objectID: NSManagedObjectID, _ context: NSManagedObjectContext) throws -> NSIncrementalStoreNode {
    guard let id = identify(objectID) else { throw gone(objectID) }
    let oldest = oldest(context)
    if let document = memory.withLock({ $0.cache.takeFresh(id, notOlderThan: oldest) }) { return try node(document) }
    // A save asks what the row is now before it writes. The service compares versions when it writes, and more reliably.
    if oldest == nil, context.registeredObject(for: objectID)?.hasChanges == true,
      let document = memory.withLock({ $0.cache.document(id) })
    {
      return try node(document)
    }
    do {
      var ids = memory.withLock { $0.cache.company(of: id) }
      ids.removeLast(max(0, ids.count - max(1, try place.limits.pageSize)))
      let asked = cacheOrder
      let answer: ObjectsAnswer = try place.connection.post("objects", ObjectsMessage(ids: ids)) { $0.documents.count }
      keep(answer.documents, asked: asked)
      memory.withLock { $0.cache.forget(answer.gone) }
      if answer.gone.contains(id) { throw gone(objectID) }
      // What came last counts, and it may have been taken or passed by a save meanwhile: then the cache has a later version.
      let document = memory.withLock { memory in
        memory.cache.takeFresh(id, notOlderThan: nil) ?? memory.cache.document(id)
      }
      guard let document = document ?? answer.documents.first else {
        throw NSError(web: .notAService, "The service neither has the object \(id) nor says that it is gone.")
      }
      return try node(document)
    } catch let away as AwayError {
      guard let document = memory.withLock({ $0.cache.document(id) }) else { throw away }
      try place.connection.note { $0.answeredFromMemory += 1 }
      return try node(document)
    }
  }

  func members(
    _ relationship: NSRelationshipDescription, _ objectID: NSManagedObjectID, _ context: NSManagedObjectContext?
  ) throws -> Any {
    guard let id = identify(objectID) else { throw gone(objectID) }
    if !relationship.isToMany {
      guard let context else { return NSNull() }
      return try node(objectID, context).value(for: relationship) ?? NSNull()
    }
    let oldest = oldest(context)
    if let known = memory.withLock({ $0.cache.takeFreshMembers(id, relationship.name, notOlderThan: oldest) }) {
      return try known.map(self.objectID)
    }
    do {
      let asked = cacheOrder
      let answer: MembersAnswer = try place.connection.get("objects/\(id)/\(relationship.name)") { $0.documents.count }
      keep(answer.documents, asked: asked)
      let size = try place.options.companySize
      memory.withLock { memory in
        memory.cache.keepMembers(answer.members, of: id, relationship.name)
        memory.cache.gather(answer.members, size: size)
      }
      return try answer.members.map(self.objectID)
    } catch let no as StatusError where no.saysGone(id) {
      // An owner that is gone has no members, as in a file: a fault is no place for an error.
      return [NSManagedObjectID]()
    } catch let away as AwayError {
      guard let known = memory.withLock({ $0.cache.document(id)?.many?[relationship.name] }) else { throw away }
      try place.connection.note { $0.answeredFromMemory += 1 }
      return try known.map(self.objectID)
    }
  }

  private func gone(_ objectID: NSManagedObjectID) -> NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError,
      userInfo: [NSLocalizedDescriptionKey: "The service has no object \(objectID.uriRepresentation().absoluteString)."]
    )
  }

  // MARK: Documents

  /// How far the cache has counted.
  var cacheOrder: Int { memory.withLock { $0.cache.order } }

  /// Keeps what came. What the coordinator knows in another version it shall ask for again.
  /// - Parameter asked: the cache's order at the time when the service was asked.
  func keep(_ documents: [Document], asked: Int) {
    let newer = memory.withLock { $0.cache.keep(documents, asked: asked, at: Date()) }
    if !newer.isEmpty { forgetRows(of: newer.compactMap { try? objectID($0) }) }
    guard let size = try? place.options.companySize, size > 1 else { return }
    // Objects that these lead to were not asked for: they will come together.
    var seen: Set<String> = []
    let led = documents.flatMap { $0.one.values.compactMap { $0 } }.filter { seen.insert($0).inserted }
    memory.withLock { memory in memory.cache.gather(led.filter { memory.cache.document($0) == nil }, size: size) }
  }

  private func node(_ document: Document) throws -> NSIncrementalStoreNode {
    let shift = memory.withLock { $0.shifts[document.id] ?? 0 }
    let identifier = try objectID(document.id)
    return NSIncrementalStoreNode(
      objectID: identifier, withValues: try values(document, identifier.entity),
      version: UInt64(clamping: document.version + shift))
  }

  /// The values of a document, as nodes have them.
  func values(_ document: Document, _ entity: NSEntityDescription) throws -> [String: Any] {
    var values: [String: Any] = [:]
    let attributes = entity.attributesByName
    for (name, json) in document.values {
      guard let attribute = attributes[name], let value = try AttributeCoding.value(json, of: attribute) else {
        continue
      }
      values[name] = value
    }
    for (name, relationship) in entity.relationshipsByName where !relationship.isToMany && !relationship.isTransient {
      if let id = document.one[name] ?? nil { values[name] = try objectID(id) } else { values[name] = NSNull() }
    }
    return values
  }
}
