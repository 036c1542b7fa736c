import CoreData

/// Three ways to model a photo with ten attributes. A list of photos shows likes and date, and is sorted by them.
enum Design: String, CaseIterable, Codable, Sendable {
  /// One entity with everything.
  case single
  /// The photo, and its metadata in an entity of its own: likes and date are there.
  case split
  /// The same, with a copy of likes and date in the photo.
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

  /// The entity whose likes and date photos are sorted by.
  var sortedEntity: String { self == .split ? "Metadata" : "Photo" }

  /// The way from a photo to its number of likes.
  var likesKeyPath: String { self == .split ? "metadata.likes" : "likes" }

  /// The way from a photo to its date.
  var dateKeyPath: String { self == .split ? "metadata.date" : "date" }

  /// What a list shows of a photo.
  func line(of photo: NSManagedObject) -> (likes: Int64, date: Date?) {
    switch photo {
    case let photo as SinglePhoto: (photo.likes, photo.date)
    case let photo as SplitPhoto: (photo.metadata?.likes ?? 0, photo.metadata?.date)
    case let photo as CopyingPhoto: (photo.likes, photo.date)
    default: (0, nil)
    }
  }
}
