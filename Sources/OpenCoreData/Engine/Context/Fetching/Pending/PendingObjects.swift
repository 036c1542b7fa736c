import OpenCocoaFoundation

/// The changed objects of a context by entity and by what has changed, so that a fetch need not look at all of them.
///
/// The first fetch that meets changes makes it; contexts that do not fetch then have none. It is kept up to date in three
/// ways, each of which costs nothing for objects that do not change: `ChangedObjects` is read on from where the last fetch
/// has stopped; the end of an event notes the objects that the event has changed (`note`), and so does the object itself
/// where values or rows change outside of events; the objects of the current event are looked at by each fetch.
///
/// Used only on the context's queue, or inside of it by a child's fetch.
final class PendingObjects {
  var records: ContiguousArray<PendingRecord> = []
  private(set) var numbers: [ObjectIdentifier: Int32] = [:]
  var entities: ContiguousArray<PendingEntity> = []
  /// The position in the list of changed objects up to which the objects are known.
  var position = 0
  /// Objects that are to be looked at again.
  private var past: ContiguousArray<Int32> = []
  private var goneCount = 0

  // MARK: Following the changes

  /// Notes that an object has changed, if it is known.
  func note(_ object: NSManagedObject) {
    guard let number = numbers[ObjectIdentifier(object)], !records[Int(number)].isPast else { return }
    records[Int(number)].isPast = true
    past.append(number)
  }

  /// Forgets an object that has left the list of changed objects.
  /// - Returns: false if so many have left that it is better to begin anew.
  func remove(_ object: NSManagedObject) -> Bool {
    guard let number = numbers.removeValue(forKey: ObjectIdentifier(object)) else { return true }
    setRole(.none, of: Int(number))
    records[Int(number)].object = nil
    goneCount += 1
    return goneCount < 64 || goneCount * 2 < records.count
  }

  /// Takes in what has changed since the last fetch.
  func follow(_ context: NSManagedObjectContext) {
    while position < context.changed.endPosition {
      if let object = context.changed.at(position) { take(object) }
      position += 1
    }
    if !past.isEmpty {
      let numbers = past
      past = []
      for number in numbers {
        records[Int(number)].isPast = false
        look(Int(number))
      }
    }
    // The event goes on, so that these objects may change without another note.
    for entry in context.event.entries {
      if let number = numbers[ObjectIdentifier(entry.object)] { look(Int(number)) }
    }
  }

  private func take(_ object: NSManagedObject) {
    let layout = object.layout
    let entity: Int
    if let known = entities.lastIndex(where: { $0.layout === layout }) {
      entity = known
    } else {
      entity = entities.count
      entities.append(PendingEntity(layout))
    }
    let number = records.count
    records.append(PendingRecord(object, entity: entity))
    numbers[ObjectIdentifier(object)] = Int32(number)
    object.state.insert(.recorded)
    look(number)
  }

  /// Looks at an object and notes what it is now.
  private func look(_ number: Int) {
    guard let object = records[number].object else { return }
    let role = PendingRecord.role(of: object)
    setRole(role, of: number)
    switch role {
    case .inserted: noteValues(of: object, number)
    case .updated: noteTouched(object, number)
    case .none, .deleted, .other: break
    }
  }

  private func setRole(_ role: PendingRecord.Role, of number: Int) {
    let old = records[number].role, entity = records[number].entity
    if old == .inserted, role != .inserted {
      let place = records[number].place
      for values in entities[entity].values.values { values.remove(place) }
    }
    if role != .updated { records[number].isOutdated = false }
    records[number].role = role
    let bit: UInt8 = 1 << role.rawValue
    if records[number].listed & bit != 0 { return }
    records[number].listed |= bit
    switch role {
    case .none: break
    case .inserted:
      records[number].place = entities[entity].inserted.count
      entities[entity].inserted.append(Int32(number))
    case .updated: entities[entity].updated.append(Int32(number))
    case .deleted: entities[entity].deleted.append(Int32(number))
    case .other: entities[entity].others.append(Int32(number))
    }
  }

  private func noteValues(of object: NSManagedObject, _ number: Int) {
    let entity = records[number].entity
    let place = records[number].place
    for values in entities[entity].values.values { values.set(object.valueHash(values.slot), at: place) }
  }

  private func noteTouched(_ object: NSManagedObject, _ number: Int) {
    let entity = records[number].entity
    let touched = PendingRecord.touched(object)
    records[number].touched = touched
    for place in touched.subtracting(records[number].noted).places {
      entities[entity].touching[place, default: []].append(Int32(number))
    }
    records[number].noted.formUnion(touched)
    // The object may have read another row. An outdated one is asked until the store's next change.
    if records[number].isUnverified || records[number].isOutdated { return }
    records[number].isUnverified = true
    entities[entity].unverified.append(Int32(number))
  }
}
