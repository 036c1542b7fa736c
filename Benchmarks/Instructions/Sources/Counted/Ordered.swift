import CoreData

/// An owner of many members in an order, in a context that knows them all.
struct Ordered {
  let stack: Stack
  let owner: NSManagedObject

  init(_ stack: Stack, _ count: Int, isJoin: Bool = false) throws {
    self.stack = stack
    owner = isJoin ? Playlist(context: stack.context) : Album(context: stack.context)
    owner.setValue(NSOrderedSet(array: (0..<count).map { Self.track($0, stack) }), forKey: "tracks")
    try stack.context.save()
    keep(members.count)
  }

  private var members: NSMutableOrderedSet { owner.mutableOrderedSetValue(forKey: "tracks") }

  private static func track(_ number: Int, _ stack: Stack) -> Track {
    let track = Track(context: stack.context)
    track.number = Int64(number)
    return track
  }

  /// Adds members, each with a save of its own.
  /// - Parameter place: where, by how many were added before and how many members there are.
  func insert(_ times: Int, at place: (_ step: Int, _ count: Int) -> Int) throws {
    let members = members
    for step in 0..<times {
      members.insert(Self.track(-step, stack), at: place(step, members.count))
      try stack.context.save()
    }
  }

  /// Moves members from the middle to the front, each with a save of its own.
  func move(_ times: Int) throws {
    let members = members
    for _ in 0..<times {
      members.moveObjects(at: [members.count / 2], to: 0)
      try stack.context.save()
    }
  }

  /// Removes members from the middle, each with a save of its own.
  func remove(_ times: Int) throws {
    let members = members
    for _ in 0..<times {
      members.removeObject(at: members.count / 2)
      try stack.context.save()
    }
  }

  /// Turns the order around, with a save each time.
  func turn(_ times: Int) throws {
    for _ in 0..<times {
      owner.setValue(NSOrderedSet(array: Array(members.reversed())), forKey: "tracks")
      try stack.context.save()
    }
  }
}
