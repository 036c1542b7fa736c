import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

// A save that the service has refused, as the error that a file's store throws.
extension WebIncrementalStore {
  /// The error for a save that the service has refused.
  /// - Parameter asked: the cache's order at the time when the save was sent.
  func error(_ no: StatusError, _ objects: [NSManagedObject], asked: Int) throws -> NSError {
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
    keep(documents, asked: asked)
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
}
