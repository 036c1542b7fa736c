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

extension Ordered {
  /// What a save of an ordered relationship costs that has very many members.
  static var works: [(name: String, run: (Stack, Int) throws -> Void)] {
    [
      (
        "insert in front of 10,000 ordered members, and save: a hundredth",
        { stack, size in try Ordered(stack, 10_000).insert(size / 100) { _, _ in 0 } }
      ),
      (
        "insert in front of 40,000 ordered members, and save: a hundredth",
        { stack, size in try Ordered(stack, 40_000).insert(size / 100) { _, _ in 0 } }
      ),
      (
        "insert amid 10,000 ordered members of a join table, and save: a hundredth",
        { stack, size in try Ordered(stack, 10_000, isJoin: true).insert(size / 100) { step, count in count / 2 - step }
        }
      ),
      (
        "append to 10,000 ordered members, and save: a hundredth",
        { stack, size in try Ordered(stack, 10_000).insert(size / 100) { $1 } }
      ),
      (
        "move one of 10,000 ordered members to the front, and save: a hundredth",
        { stack, size in try Ordered(stack, 10_000).move(size / 100) }
      ),
      (
        "remove one of 10,000 ordered members, and save: a hundredth",
        { stack, size in try Ordered(stack, 10_000).remove(size / 100) }
      ),
      (
        "give 10,000 members another order, and save: a thousandth",
        { stack, size in try Ordered(stack, 10_000).turn(size / 1000) }
      ),
    ]
  }
}
