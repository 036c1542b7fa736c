import Foundation

/// An object to which a save gives a key: a managed object, or its planned row.
protocol SavedObject: AnyObject {
  /// The key of the object; less than 1 as long as the object has none.
  var savedKey: Int64 { get }
  var layout: EntityLayout { get }
}

extension NSManagedObject: SavedObject {
  final var savedKey: Int64 { key }
}

extension Snapshot: SavedObject {
  var savedKey: Int64 { primaryKey }
}

// Gives primary keys from Z_PRIMARYKEY to new objects.
extension SQLiteStore {
  /// Gives every object that has no key yet the next key of its root entity.
  /// - Parameter isReferredTo: whether the new keys will be looked up by the temporary keys.
  func assignKeys<Object: SavedObject>(
    _ objects: ContiguousArray<Object>, _ keys: inout SaveKeys, _ connection: SQLiteConnection,
    isReferredTo: Bool = false
  ) throws {
    if let layout = newLayout(of: objects) {
      let first = try take(Int64(objects.count), of: try entity(layout.entity).root.number, connection)
      keys.inserted = ContiguousArray(first..<first + Int64(objects.count))
      if isReferredTo {
        if objects.count > 1 { keys.byTemporary = Dictionary(minimumCapacity: objects.count) }
        objects.forEachUncounted { keys.byTemporary[$1.savedKey] = first + Int64($0) }
      }
      return
    }
    var ranges: ContiguousArray<KeyRange> = []
    // Most objects come entity by entity, so the range of the last object is tried first.
    var last: (layout: EntityLayout, place: Int)?
    func place(_ object: Object) throws -> Int {
      if let last, last.layout === object.layout { return last.place }
      let root = try entity(object.layout.entity).root.number
      let place = ranges.firstIndex { $0.root == root } ?? ranges.count
      if place == ranges.count { ranges.append(KeyRange(root: root)) }
      last = (object.layout, place)
      return place
    }
    var count = 0
    try objects.forEachUncounted { _, object in
      if object.savedKey > 0 { return }
      ranges[try place(object)].count += 1
      count += 1
    }
    for (place, range) in ranges.enumerated() {
      ranges[place].next = try take(range.count, of: range.root, connection)
    }
    keys.inserted.reserveCapacity(objects.count)
    if isReferredTo { keys.byTemporary = Dictionary(minimumCapacity: count) }
    try objects.forEachUncounted { _, object in
      if object.savedKey > 0 { return keys.inserted.append(object.savedKey) }
      let place = try place(object)
      keys.inserted.append(ranges[place].next)
      if isReferredTo { keys.byTemporary[object.savedKey] = ranges[place].next }
      ranges[place].next += 1
    }
  }

  /// Returns the layout of the objects if all are of one entity and have no keys yet, which is the usual case; otherwise nil.
  private func newLayout(of objects: ContiguousArray<some SavedObject>) -> EntityLayout? {
    guard let layout = objects.first?.layout else { return nil }
    var isOne = true
    objects.forEachUncounted { if $1.savedKey > 0 || $1.layout !== layout { isOne = false } }
    return isOne ? layout : nil
  }

  /// The keys of one root entity that a save gives out.
  private struct KeyRange {
    let root: Int
    var count: Int64 = 0
    var next: Int64 = 0
  }

  /// Reserves `count` new keys of a root entity, for which its last key may have to be raised, and returns the first.
  private func take(_ count: Int64, of root: Int, _ connection: SQLiteConnection) throws -> Int64 {
    if let place = connection.keyReserves.index(forKey: root) {
      if let first = connection.keyReserves.values[place].take(count) { return first }
      let reserve = connection.keyReserves.values[place]
      let end = reserve.nextEnd(for: count)
      // In most cases Z_MAX still has the value that this connection has set. Otherwise nothing is changed here.
      if try connection.moveLastKey(of: root, from: reserve.end, to: end) {
        return connection.keyReserves.values[place].take(count, movingTo: end)
      }
    }
    let last = try lastKey(of: root, connection)
    guard try connection.moveLastKey(of: root, from: last, to: last + count) else {
      throw isDamaged("Z_MAX of entity \(root) in Z_PRIMARYKEY is \(last) at one time and another at the next")
    }
    connection.keyReserves[root] = KeyReserve(last: last + count)
    return last + 1
  }

  /// Returns the last key that was given to an object of a root entity.
  /// - Throws: 259 for an impossible value.
  func lastKey(of root: Int, _ connection: SQLiteConnection) throws -> Int64 {
    let statement = try connection.statement(.lastKey)
    statement.bind(Int64(root), at: 1)
    guard let last = try connection.integer(of: statement) else {
      throw isDamaged("there is no row in Z_PRIMARYKEY for entity \(root)")
    }
    // If the last key is below half of the maximum, the keys that are given out from now on cannot come to an end.
    guard last >= 0, last < .max / 2 else { throw isDamaged("Z_MAX of entity \(root) in Z_PRIMARYKEY is \(last)") }
    return last
  }

  private func isDamaged(_ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The store at \(path) is damaged: \(reason).",
      [NSFilePathErrorKey: path])
  }

  /// Writes the last key that was given out.
  func setLastKey(_ last: Int64, of root: Int, _ connection: SQLiteConnection) throws {
    let statement = try connection.statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
    statement.bind(last, at: 1)
    statement.bind(Int64(root), at: 2)
    try statement.run()
  }

  /// Raises the last keys of root entities to those that objects of another store have.
  func raiseLastKeys(to last: [String: Int64]) throws -> Bool {
    try writer.transaction { connection in
      for (name, key) in last {
        guard let root = schema.entity(named: name)?.number, try lastKey(of: root, connection) < key else { continue }
        try setLastKey(key, of: root, connection)
        connection.keyReserves[root] = nil
      }
    } publish: {
      true
    }
  }

  /// Reserves keys for objects before they are saved, in a transaction of its own.
  func takeKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<Int64> {
    var keys = SaveKeys()
    return try writer.transaction {
      try assignKeys(objects, &keys, $0)
    } publish: {
      keys.inserted
    }
  }
}
