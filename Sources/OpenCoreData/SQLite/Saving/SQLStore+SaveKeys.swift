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
        let statement = try connection.statement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
        statement.bind(Int64(root), at: 1)
        statement.begin()
        guard try statement.step() else {
          statement.reset()
          throw NSError(
            coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
            "The store at \(path) has no row in Z_PRIMARYKEY for entity \(root).")
        }
        last = statement.int(0)
        statement.reset()
      }
      guard last >= 0, last < .max else {
        throw NSError(
          coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
          "The store at \(path) is damaged: Z_MAX of entity \(root) in Z_PRIMARYKEY is \(last).",
          [NSFilePathErrorKey: path])
      }
      last += 1
      next[root] = last
      keys.inserted.append(last)
      keys.byTemporary[object.key] = last
    }
    for (root, last) in next {
      let statement = try connection.statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
      statement.bind(last, at: 1)
      statement.bind(Int64(root), at: 2)
      try statement.run()
    }
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
