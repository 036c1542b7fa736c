import CoreData
import Foundation

/// Inserts one track at the front of a playlist of 10,000 tracks and saves, 100 times. Then adds one member to an owner of
/// 10,000 members and saves, as many times. The difference of both times is the cost of the order.
func runOrdered(_ store: Store) throws {
  let loaded = try store.makeLists()
  var stack: OwnerStack?
  var playlist: Playlist?
  var owner: Owner?
  /// Opens a copy, and reads the members of the playlist and of the owner.
  func prepare() throws {
    (playlist, owner) = (nil, nil)
    try stack?.close()
    try store.copy(loaded, to: store.scratch)
    let opened = try OwnerStack(url: store.scratch)
    stack = opened
    playlist = try opened.context.fetch(NSFetchRequest<Playlist>(entityName: "Playlist")).first
    owner = try opened.context.fetch(NSFetchRequest<Owner>(entityName: "Owner")).first
    guard playlist?.tracks?.count == members, owner?.members.count == members else {
      throw WorkloadError(description: "ordered: the members are not loaded")
    }
  }
  let ordered = try measure(
    "ordered-front", prepare: prepare, answer: { try stack.map { try checkFront(of: $0.container) } ?? 0 },
    work: {
      guard let context = stack?.context, let playlist else { return 0 }
      for number in 0..<saves {
        let track = Track(context: context)
        track.name = "New \(number)"
        playlist.insertIntoTracks(track, at: 0)
        try context.save()
      }
      return saves
    })
  let unordered = try measure(
    "ordered-plain", prepare: prepare, answer: { owner?.members.count ?? 0 },
    work: {
      guard let context = stack?.context, let owner else { return 0 }
      for number in 0..<saves {
        let member = Member(context: context)
        member.name = "New \(number)"
        owner.addToMembers(member)
        try context.save()
      }
      return saves
    })
  report("ordered-part", cpu: ordered - unordered, answer: saves)
  (playlist, owner) = (nil, nil)
  try stack?.close()
  try store.remove(store.scratch)
  try store.remove(loaded)
}

private let members = 10_000
private let saves = 100

/// Returns the number of tracks in the store. The new tracks must come first, the latest one at the front.
private func checkFront(of container: NSPersistentContainer) throws -> Int {
  let context = container.newBackgroundContext()
  return try context.performAndWait {
    let playlist = try context.fetch(NSFetchRequest<Playlist>(entityName: "Playlist")).first
    let tracks = playlist?.tracks?.array.compactMap { $0 as? Track } ?? []
    guard tracks.prefix(saves).map(\.name) == (0..<saves).reversed().map({ "New \($0)" }),
      tracks.dropFirst(saves).map(\.name) == (0..<members).map({ "Track \($0)" })
    else { throw WorkloadError(description: "ordered-front: the tracks are in another order") }
    return tracks.count
  }
}

extension Store {
  /// Makes a store with a playlist and an owner of 10,000 members each.
  fileprivate func makeLists() throws -> URL {
    let url = folder.appending(path: "framework-lists.sqlite")
    try remove(url)
    let stack = try OwnerStack(url: url)
    let playlist = Playlist(context: stack.context)
    let owner = Owner(context: stack.context)
    playlist.tracks = NSOrderedSet(
      array: (0..<members).map { number in
        let track = Track(context: stack.context)
        track.name = "Track \(number)"
        return track
      })
    for number in 0..<members {
      let member = Member(context: stack.context)
      member.name = "Member \(number)"
      member.owner = owner
    }
    try stack.context.save()
    try stack.close()
    return url
  }
}
