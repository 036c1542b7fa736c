import CoreData

/// A playlist of tracks, which have an order.
final class Playlist: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var tracks: NSOrderedSet?
  @NSManaged func insertIntoTracks(_ value: Track, at idx: Int)
}

/// A track of a playlist.
final class Track: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var playlist: Playlist?
}
