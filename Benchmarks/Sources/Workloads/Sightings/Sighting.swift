import CoreData
import Foundation

/// A sighting of an unknown flying object.
final class Sighting: NSManagedObject {
  @NSManaged var city: String?
  @NSManaged var date: Date?
  @NSManaged var shape: String?
  @NSManaged var uid: String?
}
