import Foundation
import OpenCocoaFoundation

extension NSEntityDescription {
  /// The entity of that name in the model that the context works with; nil where the model has none.
  ///
  /// For code that has names at run time, such as a program that shows any store. The entity is that of the context's own
  /// model, which matters where several copies of a model are loaded. A context without coordinator stops the program.
  ///
  /// ```swift
  /// let entity = NSEntityDescription.entity(forEntityName: "Entry", in: context)
  /// print(entity?.attributesByName.keys.sorted().first ?? "none")  // date
  /// ```
  /// - Parameters:
  ///   - entityName: the name in the model, which need not be that of a class.
  ///   - context: a context with a coordinator, or a child of one.
  ///
  /// See also ``NSManagedObjectModel/entitiesByName``, ``NSManagedObject/entity()``.
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
  /// Where the class is known, ``NSManagedObject/init(context:)`` is shorter and checked by the compiler. This is for
  /// names that are known at run time alone; the result has whatever class the model names, and `setValue(_:forKey:)`
  /// for its properties.
  ///
  /// ```swift
  /// let object = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
  /// object.setValue("Thursday", forKey: "title")
  /// print(object is Entry, object.isInserted)  // true true
  /// ```
  ///
  /// A name that the model does not have, and an abstract entity, stop the program: for names from outside, ask
  /// ``entity(forEntityName:in:)`` first.
  /// - Parameters:
  ///   - entityName: the name of the entity in the model.
  ///   - context: the context that the object is inserted into.
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
