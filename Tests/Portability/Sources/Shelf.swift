import CoreData

/// A class that was written by hand: the plugin finds its properties, its validation and its computed property.
public class Shelf: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var articles: NSOrderedSet?

  var shouted: String { (name ?? "").uppercased() }

  func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if value.pointee as? String == "" { throw CocoaError(.validationStringTooShort) }
  }
}
