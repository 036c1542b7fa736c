import CocoaFoundation
import Foundation

extension NSEntityDescription {
  /// Makes a new object of the entity of that name, of the class that the model names, and inserts it into `context`.
  ///
  /// An entity that the context's model does not have stops the program.
  public class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = entity(forEntityName: entityName, in: context) else {
      raise(
        .internalInconsistency,
        "+entityForEntityName: could not locate an entity named '\(entityName)' in this model.")
    }
    return ManagedInstance.make(entity.layout.objectClass, entity: entity, into: context)
  }

  /// The entity of that name in the context's model, or nil.
  public class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription?
  { context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[entityName] }
}
