import CoreData
import Foundation

/// To-many relationships as Xcode writes them: `NSSet?`.
public class Band: NSManagedObject {}

extension Band {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Band> {
    return NSFetchRequest<Band>(entityName: "Band")
  }

  @NSManaged public var name: String?
  @NSManaged public var founded: Int16
  @NSManaged public var albums: NSSet?
}

// MARK: Generated accessors for albums
extension Band {
  @NSManaged public func addToAlbums(_ value: Album)

  @NSManaged public func removeFromAlbums(_ value: Album)

  @NSManaged public func addToAlbums(_ values: NSSet)

  @NSManaged public func removeFromAlbums(_ values: NSSet)
}

extension Band: Identifiable {}

extension Band {
  func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let name = value.pointee as? String else { return }
    if name == "unnamed" { throw CocoaError(.managedObjectValidation, userInfo: [NSValidationKeyErrorKey: "name"]) }
    value.pointee = NSString(string: name.trimmingCharacters(in: .whitespaces))
  }
}
