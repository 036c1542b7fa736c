import Foundation

// Primary keys for new objects, from Z_PRIMARYKEY.
extension SQLStore {
  /// Gives every object that has none yet the next key of its root entity.
  func assignKeys(
    _ objects: ContiguousArray<NSManagedObject>, _ keys: inout SaveKeys, _ connection: SQLiteConnection
  ) throws {
    var next: [Int: Int64] = [:]
    keys.inserted.reserveCapacity(objects.count)
    for object in objects {
      if object.key > 0 {
        keys.inserted.append(object.key)
        continue
      }
      let root = try entity(object.layout.entity).root.number
      var last: Int64
      if let known = next[root] {
        last = known
      } else {
        last = try lastKey(of: root, connection)
      }
      last += 1
      next[root] = last
      keys.inserted.append(last)
      keys.byTemporary[object.key] = last
    }
    for (root, last) in next { try setLastKey(last, of: root, connection) }
  }

  /// The key that was given out last to an object of a root entity.
  /// - Throws: 259 for a count that cannot be.
  func lastKey(of root: Int, _ connection: SQLiteConnection) throws -> Int64 {
    let statement = try connection.statement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
    statement.bind(Int64(root), at: 1)
    statement.begin()
    defer { statement.reset() }
    guard try statement.step() else {
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The store at \(path) has no row in Z_PRIMARYKEY for entity \(root).")
    }
    let last = statement.int(0)
    // Below the half nothing that is given out from here on comes to an end.
    guard last >= 0, last < .max / 2 else {
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The store at \(path) is damaged: Z_MAX of entity \(root) in Z_PRIMARYKEY is \(last).",
        [NSFilePathErrorKey: path])
    }
    return last
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
