import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

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
    for done in doneDoubts(of: context) { try takeUp(done, in: &message, context) }
    let answer: SaveAnswer
    let asked = cacheOrder
    do {
      answer = try place.connection.save(message, limit: place.limits.bodySize)
    } catch let away as AwayError {
      let reason = away.error.userInfo[NSUnderlyingErrorKey] as? NSError
      guard away.mayHaveArrived else {
        throw NSError(
          web: .away, "\(away.error.localizedDescription) Nothing was saved, and the context keeps its changes.",
          underlying: reason)
      }
      throw inDoubt(message, context, "did not answer", reason)
    } catch let error as NSError where error.isWeb(.notAService) {
      // Something did answer, which may have passed the save on.
      throw inDoubt(message, context, "gave an answer that cannot be read", error)
    } catch let no as StatusError where no.status >= 500 {
      // A gateway's errors may be JSON, too.
      throw inDoubt(message, context, "answered with an error", NSError(no.failure, status: no.status))
    } catch let no as StatusError {
      throw try error(no, Array(inserted) + updated + deleted + locked, asked: asked)
    }
    finish(message, answer, inserted, updated, context)
    dropDoneDoubts(of: context)
  }

  private func inDoubt(
    _ message: SaveMessage, _ context: NSManagedObjectContext, _ what: String, _ reason: NSError?
  ) -> NSError {
    memory.withLock { $0.doubts.append(Doubt(message: message, context: context)) }
    return NSError(
      web: .inDoubt,
      "The service \(what), and may have saved or not. The context keeps its changes; saving again finds out.",
      underlying: reason)
  }

  private func finish(
    _ message: SaveMessage, _ answer: SaveAnswer, _ inserted: Set<NSManagedObject>, _ updated: Set<NSManagedObject>,
    _ context: NSManagedObjectContext
  ) {
    // Core Data counts a new row as version 1, and each update as one more. What only this store has sent, it does not count.
    var expected: [String: Int64] = [:]
    for change in message.inserted + message.updated {
      guard let object = (try? objectID(change.id)).flatMap({ context.registeredObject(for: $0) }) else { continue }
      expected[change.id] =
        inserted.contains(object) ? 1 : updated.contains(object) ? object.rowVersion + 1 : object.rowVersion
    }
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
}
