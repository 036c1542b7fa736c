import CoreData

/// Has tracks, in an order.
final class Playlist: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var tracks: NSOrderedSet?
  @NSManaged func insertIntoTracks(_ value: Track, at idx: Int)
}

/// Belongs to a playlist.
final class Track: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var playlist: Playlist?
}
