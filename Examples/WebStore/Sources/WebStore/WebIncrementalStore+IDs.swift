import CoreData
import Foundation

// IDs of objects, and the names that the service has for them.
extension WebIncrementalStore {
  /// The name that the service has for an object; nil for one of another store, and for one without a permanent ID.
  func identify(_ objectID: NSManagedObjectID) -> String? {
    guard !objectID.isTemporaryID, objectID.persistentStore === self, let name = objectID.entity.name,
      let number = referenceObject(for: objectID) as? NSNumber
    else { return nil }
    return "\(name)/\(number.int64Value)"
  }

  func objectID(_ id: String) throws -> NSManagedObjectID {
    guard let slash = id.lastIndex(of: "/"), let number = Int64(id[id.index(after: slash)...]), number > 0,
      let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[String(id[..<slash])]
    else {
      throw NSError(
        web: .notAService, "The service named an object “\(id.prefix(100))”, and there are none of that name.")
    }
    return newObjectID(for: entity, referenceObject: NSNumber(value: number))
  }
}
