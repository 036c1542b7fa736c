import Foundation

// Primary keys for new objects, from Z_PRIMARYKEY.
extension SQLStore {
  /// Gives every object that has none yet the next key of its root entity.
  func assignKeys(
    _ objects: ContiguousArray<NSManagedObject>, _ keys: inout SaveKeys, _ connection: SQLiteConnection
  ) throws {
    var ranges: ContiguousArray<KeyRange> = []
    for object in objects where object.key <= 0 {
      let root = try entity(object.layout.entity).root.number
      if let place = ranges.firstIndex(where: { $0.root == root }) {
        ranges[place].count += 1
      } else {
        ranges.append(KeyRange(root: root, count: 1))
      }
    }
    for (place, range) in ranges.enumerated() {
      ranges[place].next = try take(range.count, of: range.root, connection)
    }
    keys.inserted.reserveCapacity(objects.count)
    for object in objects {
      if object.key > 0 {
        keys.inserted.append(object.key)
        continue
      }
      let root = try entity(object.layout.entity).root.number
      guard let place = ranges.firstIndex(where: { $0.root == root }) else { continue }
      keys.inserted.append(ranges[place].next)
      keys.byTemporary[object.key] = ranges[place].next
      ranges[place].next += 1
    }
  }

  /// The keys of one root entity that a save gives out.
  private struct KeyRange {
    let root: Int
    var count: Int64
    var next: Int64 = 0
  }

  /// Counts a root entity's last key up, and gives the first of the new ones.
  private func take(_ count: Int64, of root: Int, _ connection: SQLiteConnection) throws -> Int64 {
    // Mostly it is the one that was last given out here; if not, nothing is changed.
    if let last = connection.lastKeys[root], try moveLastKey(of: root, from: last, by: count, connection) {
      return last + 1
    }
    let last = try lastKey(of: root, connection)
    guard try moveLastKey(of: root, from: last, by: count, connection) else {
      throw isDamaged("Z_MAX of entity \(root) in Z_PRIMARYKEY is \(last) at one time and another at the next")
    }
    return last + 1
  }

  /// The key that was given out last to an object of a root entity.
  /// - Throws: 259 for a count that cannot be.
  func lastKey(of root: Int, _ connection: SQLiteConnection) throws -> Int64 {
    let statement = try connection.statement(.lastKey)
    statement.bind(Int64(root), at: 1)
    guard let last = try connection.integer(of: statement) else {
      throw isDamaged("there is no row in Z_PRIMARYKEY for entity \(root)")
    }
    // Below the half nothing that is given out from here on comes to an end.
    guard last >= 0, last < .max / 2 else { throw isDamaged("Z_MAX of entity \(root) in Z_PRIMARYKEY is \(last)") }
    return last
  }

  private func isDamaged(_ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The store at \(path) is damaged: \(reason).",
      [NSFilePathErrorKey: path])
  }

  /// - Returns: false, with nothing changed, if `last` was not the last key.
  private func moveLastKey(
    of root: Int, from last: Int64, by count: Int64, _ connection: SQLiteConnection
  ) throws -> Bool {
    let statement = try connection.statement(.moveLastKey)
    statement.bind(last + count, at: 1)
    statement.bind(Int64(root), at: 2)
    statement.bind(last, at: 3)
    try statement.run()
    guard connection.changes > 0 else { return false }
    connection.lastKeys[root] = last + count
    return true
  }

  /// Notes the key that was given out last.
  func setLastKey(_ last: Int64, of root: Int, _ connection: SQLiteConnection) throws {
    let statement = try connection.statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
    statement.bind(last, at: 1)
    statement.bind(Int64(root), at: 2)
    try statement.run()
  }

  /// Reserves keys for objects ahead of their save, in a transaction of its own.
  func takeKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<Int64> {
    var keys = SaveKeys()
    return try writer.transaction(others: forgetEverything) {
      try assignKeys(objects, &keys, $0)
    } publish: {
      keys.inserted
    }
  }
}
