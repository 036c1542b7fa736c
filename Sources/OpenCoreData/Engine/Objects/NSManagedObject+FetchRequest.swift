import Foundation

extension NSManagedObject {
  /// A fetch request for the class's entity; the name is resolved in the model of the context that executes it.
  ///
  /// Classes that the build plugin makes have a typed method of the same name, which Swift takes where the context asks
  /// for it: `let request: NSFetchRequest<Entry> = Entry.fetchRequest()`. This untyped one is for generic code and for
  /// classes that have no typed method.
  ///
  /// ```swift
  /// let request: NSFetchRequest<Entry> = Entry.fetchRequest()
  /// request.predicate = NSPredicate(format: "isPinned == YES")
  /// print(try context.fetch(request).map { $0.title ?? "" })  // ["Wednesday"]
  /// ```
  ///
  /// Differs from Apple (D-SRC-13): a cast does not make it a typed request; ``NSFetchRequest/retyped(to:)`` does. A
  /// class that no entity of the context's model has stops the program when the request is executed.
  ///
  /// See also ``entity()``.
  @_disfavoredOverload
  public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest(objectClass: self)
  }
}

extension NSFetchRequest {
  /// A request for the entity of a class, which the executing context's model resolves.
  convenience init(objectClass: NSManagedObject.Type) {
    self.init()
    self.objectClass = RequestedClass(objectClass) { ModelRegistry.entity(for: objectClass)?.name }
  }
}
