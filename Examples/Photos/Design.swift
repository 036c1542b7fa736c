import CoreData

/// Three ways to model a photo with ten attributes. A list of photos shows the likes and the date, and is sorted by them.
enum Design: String, CaseIterable, Codable, Sendable {
  /// One entity with all attributes.
  case single
  /// A photo, with its metadata (likes and date among them) in another entity.
  case split
  /// The split design, with a copy of likes and date in the photo.
  case copying

  var title: String {
    switch self {
    case .single: "one entity"
    case .split: "split"
    case .copying: "split, copies"
    }
  }

  /// The model's name; every model has the entity Photo.
  var modelName: String {
    switch self {
    case .single: "SinglePhoto"
    case .split: "SplitPhoto"
    case .copying: "CopyingPhoto"
    }
  }

  /// The entity that has the likes and the date by which photos are sorted.
  var sortedEntity: String { self == .split ? "Metadata" : "Photo" }

  /// The key path from a photo to its number of likes.
  var likesKeyPath: String { self == .split ? "metadata.likes" : "likes" }

  /// The key path from a photo to its date.
  var dateKeyPath: String { self == .split ? "metadata.date" : "date" }

  /// Returns the values of a photo that a list shows.
  func line(of photo: NSManagedObject) -> (likes: Int64, date: Date?) {
    switch photo {
    case let photo as SinglePhoto: (photo.likes, photo.date)
    case let photo as SplitPhoto: (photo.metadata?.likes ?? 0, photo.metadata?.date)
    case let photo as CopyingPhoto: (photo.likes, photo.date)
    default: (0, nil)
    }
  }
}
