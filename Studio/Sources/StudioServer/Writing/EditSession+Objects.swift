import CoreData
import CoreDataTools
import Foundation

extension EditSession {
  /// Returns an object in its present state: changes of other programs are read, unless the object has unsaved changes.
  /// - Throws: A `StudioError` if the object does not exist any more.
  func current(_ reference: EditReference, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    let gone = StudioError.notFound("There is no object \(reference) in the store, or not any more.")
    guard let id = objectID(reference) else { throw gone }
    let object: NSManagedObject
    do {
      object = try context.existingObject(with: id)
    } catch CocoaError.Code.managedObjectReferentialIntegrity {
      throw gone
    }
    guard !id.isTemporaryID, !object.hasChanges, !object.isDeleted, let entity = object.entity.name else {
      return object
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "SELF == %@", id)
    request.shouldRefreshRefetchedObjects = true
    guard let found = try context.fetch(request).first else { throw gone }
    return found
  }
}
