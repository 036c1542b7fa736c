import Foundation
import OpenCocoaFoundation

extension NSEntityDescription {
  /// The entity of that name in the model that the context works with; nil where the model has none.
  public class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription?
  {
    guard let coordinator = context.persistentStoreCoordinator else {
      raise(
        .invalidArgument, "+entityForName: could not locate an NSManagedObjectModel for entity name '\(entityName)'")
    }
    return coordinator.managedObjectModel.entitiesByName[entityName]
  }

  /// A new object of the entity of that name, of the entity's own class, inserted into the context.
  ///
  /// A name that the model does not have, and an abstract entity, stop the program.
  public class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = entity(forEntityName: entityName, in: context) else {
      raise(
        .internalInconsistency,
        "+entityForName: could not locate an entity named '\(entityName)' in this model.")
    }
    if entity.isAbstract {
      raise(
        .internalInconsistency,
        "Cannot insert an object of the abstract entity '\(entityName)': use one of its subentities.")
    }
    return ManagedInstance.make(entity.layout, into: context)
  }
}
