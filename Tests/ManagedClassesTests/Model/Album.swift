import CoreData

enum Genre: Int16 {
  case rock, jazz
}

/// Every type of attribute, and a to-many relationship as a Swift set.
public class Album: NSManagedObject {
  @NSManaged public var title: String
  @NSManaged public var subtitle: String?
  @NSManaged public var year: Int16
  @NSManaged public var copies: Int32
  @NSManaged public var plays: Int64
  @NSManaged public var count: Int
  @NSManaged public var rating: Double
  @NSManaged public var gain: Float
  @NSManaged public var isLive: Bool
  @NSManaged public var released: Date?
  @NSManaged public var cover: Data?
  @NSManaged public var identifier: UUID?
  @NSManaged public var link: URL?
  @NSManaged public var price: NSDecimalNumber?
  @NSManaged public var boxed: NSNumber?
  @NSManaged var genre: Genre
  @NSManaged public var note: String?
  @NSManaged public var band: Band?
  @NSManaged public var tracks: Set<Track>
  @NSManaged private var primitiveTitle: String?

  /// A custom accessor, as Apple's guide writes it.
  public var loudTitle: String {
    get {
      willAccessValue(forKey: "title")
      defer { didAccessValue(forKey: "title") }
      return (primitiveTitle ?? "").uppercased()
    }
    set {
      willChangeValue(forKey: "title")
      primitiveTitle = newValue.lowercased()
      didChangeValue(forKey: "title")
    }
  }
}

public class LiveAlbum: Album {
  @NSManaged public var venue: String?
}

public class Track: NSManagedObject {
  @NSManaged public var name: String?
  @NSManaged public var length: Double
  @NSManaged public var album: Album?
}

extension Album {
  @NSManaged public func addToTracks(_ value: Track)
  @NSManaged public func removeFromTracks(_ value: Track)
  @NSManaged public func addToTracks(_ values: Set<Track>)
  @NSManaged public func removeFromTracks(_ values: Set<Track>)
}

/// The model's Band once more, in types that older code has.
public class OldBand: NSManagedObject {
  @NSManaged public var name: String?
  @NSManaged public var founded: NSDecimalNumber
  @NSManaged public var albums: NSMutableSet
}

/// A band whose class says what the values are not.
public class WrongBand: NSManagedObject {
  @NSManaged public var founded: NSDate
}
