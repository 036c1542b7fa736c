import Foundation

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}

extension NSManagedObject {
  /// A fetch request for the class's entity; the name is resolved in the model of the context that executes it.
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
