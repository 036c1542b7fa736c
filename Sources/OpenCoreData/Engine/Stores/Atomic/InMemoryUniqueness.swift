import Foundation

/// An index of the unique values of a store in memory: which row has which values. Used under the store's lock.
struct InMemoryUniqueness {
  private struct Index {
    let constraint: UniquenessConstraint
    var holders: [[UniqueValue]: Int64] = [:]
    var values: [Int64: [UniqueValue]] = [:]

    mutating func set(_ new: [UniqueValue]?, of key: Int64) {
      if let old = values.removeValue(forKey: key), holders[old] == key { holders[old] = nil }
      guard let new else { return }
      holders[new] = key
      values[key] = new
    }
  }

  private var indexes: [Index] = []
  private var places: [String: Int] = [:]
  /// The positions in `indexes` of each entity's constraints.
  private var known: [ObjectIdentifier: [Int]] = [:]

  private static func name(_ constraint: UniquenessConstraint) -> String {
    "\(constraint.entity.name ?? "").\(constraint.names.joined(separator: ","))"
  }

  private mutating func places(of entity: NSEntityDescription) -> [Int] {
    if let known = known[ObjectIdentifier(entity)] { return known }
    let result = UniquenessConstraint.all(of: entity).map { constraint in
      let name = Self.name(constraint)
      if let place = places[name] { return place }
      places[name] = indexes.count
      indexes.append(Index(constraint: constraint))
      return indexes.count - 1
    }
    known[ObjectIdentifier(entity)] = result
    return result
  }

  /// - Throws: a `SaveConflict` if two objects of a save, or an object and another row, would have the same values.
  mutating func check(_ work: SaveWork) throws {
    let leaving = Set(work.deleted.lazy.map(\.key))
    var changed: [Int: Set<Int64>] = [:]
    var new: [Int: [[UniqueValue]]] = [:]
    func note(_ object: NSManagedObject, _ place: Int) {
      if object.key > 0 { changed[place, default: []].insert(object.key) }
      if let values = indexes[place].constraint.values(of: object) { new[place, default: []].append(values) }
    }
    for object in work.inserted { for place in places(of: object.layout.entity) { note(object, place) } }
    for object in work.updated {
      for place in places(of: object.layout.entity) where indexes[place].constraint.isChanged(in: object) {
        note(object, place)
      }
    }
    for (place, values) in new {
      var seen: Set<[UniqueValue]> = []
      for value in values {
        let holder = indexes[place].holders[value]
        let isTaken = holder.map { !leaving.contains($0) && changed[place]?.contains($0) != true } ?? false
        if isTaken || !seen.insert(value).inserted { throw Self.conflict(indexes[place].constraint) }
      }
    }
  }

  private static func conflict(_ constraint: UniquenessConstraint) -> SaveConflict {
    SaveConflict(
      reason: NSError(
        coreData: NSManagedObjectConstraintMergeError,
        "Objects have the same values where the model wants unique ones: \(constraint.names.joined(separator: ", ")) of "
          + "\(constraint.entity.name ?? "")."))
  }

  /// Updates the index with the rows that a save has written.
  mutating func take(_ work: SaveWork, _ result: SaveResult) {
    for object in work.deleted {
      for place in places(of: object.layout.entity) { indexes[place].set(nil, of: object.key) }
    }
    for (objects, rows) in [(work.inserted, result.insertedRows), (work.updated, result.updatedRows)] {
      for (object, row) in zip(objects, rows) {
        for place in places(of: object.layout.entity) {
          indexes[place].set(indexes[place].constraint.values(of: row), of: row.primaryKey)
        }
      }
    }
  }

  /// Returns the key of the row that has these values; nil if there is none.
  func holder(of values: [StoredValue], _ constraint: UniquenessConstraint) -> Int64? {
    let unique = values.compactMap { UniqueValue($0) }
    guard unique.count == values.count, let place = places[Self.name(constraint)] else { return nil }
    return indexes[place].holders[unique]
  }
}
