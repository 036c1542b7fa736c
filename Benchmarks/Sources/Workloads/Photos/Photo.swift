import CoreData
import Foundation

/// A photo, with ten attributes.
final class Photo: NSManagedObject {
  @NSManaged var assetURL: String?
  @NSManaged var country: String?
  @NSManaged var date: Date?
  @NSManaged var height: Int32
  @NSManaged var latitude: Double
  @NSManaged var likes: Int32
  @NSManaged var locationDesc: String?
  @NSManaged var longitude: Double
  @NSManaged var size: Int64
  @NSManaged var width: Int32

  /// Returns a request for all photos by likes, and by date for equal likes, the highest first.
  static func byLikes() -> NSFetchRequest<Photo> {
    let request = NSFetchRequest<Photo>(entityName: "Photo")
    request.sortDescriptors = [
      NSSortDescriptor(key: "likes", ascending: false), NSSortDescriptor(key: "date", ascending: false),
    ]
    return request
  }
}
