import CoreData
import Foundation

/// Something that somebody saw in the sky.
final class Sighting: NSManagedObject {
  @NSManaged var city: String?
  @NSManaged var date: Date?
  @NSManaged var shape: String?
  @NSManaged var uid: String?
}
