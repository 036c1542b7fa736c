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
  private var records: ContiguousArray<PendingRecord> = []
  private var numbers: [ObjectIdentifier: Int32] = [:]
  private var entities: ContiguousArray<PendingEntity> = []
  /// The position in the list of changed objects up to which the objects are known.
  var position = 0
  /// Objects that are to be looked at again.
  private var past: ContiguousArray<Int32> = []
  private var goneCount = 0
  /// The stores whose read transactions do not tell which state they see.
  private var timeless: Set<ObjectIdentifier> = []

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

// MARK: Asking

extension PendingObjects {
  /// Whether there is a changed object of the fetch's entity.
  func hasObjects(of target: FetchTarget) -> Bool {
    entities.contains { entity in
      target.includes(entity.layout)
        && [entity.inserted, entity.updated, entity.deleted, entity.others].contains { list in
          list.contains { records[Int($0)].role != .none }
        }
    }
  }

  /// The changed objects that a fetch has to ask, and those whose rows it must not show, in the order of the list.
  /// - Parameters:
  ///   - question: nil if all changed objects are to be asked.
  ///   - areRowsKnown: whether it can be found out afterwards that rows have not changed since objects have read them.
  func select(
    _ target: FetchTarget, _ question: PendingQuestion?, areRowsKnown: Bool
  ) -> ContiguousArray<PendingItem> {
    var chosen: ContiguousArray<(number: Int32, isAsked: Bool)> = []
    for entity in entities.indices where target.includes(entities[entity].layout) {
      let asked = question.flatMap { $0.isDecided(for: entities[entity].layout) ? $0 : nil }
      choose(entity, asked, areRowsKnown, &chosen)
    }
    chosen.sort { $0.number < $1.number }
    var items: ContiguousArray<PendingItem> = []
    var last: Int32 = -1
    for (number, isAsked) in chosen where number != last {
      last = number
      let record = records[Int(number)]
      guard let object = record.object else { continue }
      items.append(PendingItem(object: object, isAsked: isAsked, hidesRow: record.role != .inserted))
    }
    return items
  }

  private func choose(
    _ entity: Int, _ question: PendingQuestion?, _ areRowsKnown: Bool,
    _ chosen: inout ContiguousArray<(number: Int32, isAsked: Bool)>
  ) {
    func add(_ numbers: ContiguousArray<Int32>, _ role: PendingRecord.Role, where isWanted: (PendingRecord) -> Bool) {
      for number in numbers {
        let record = records[Int(number)]
        guard record.role == role, isWanted(record), let object = record.object else { continue }
        let isAsked = role != .deleted && (role == .other || question?.condition.mayHold(for: object) ?? true)
        if isAsked || role != .inserted { chosen.append((number, isAsked)) }
      }
    }
    add(entities[entity].deleted, .deleted) { _ in true }
    add(entities[entity].others, .other) { _ in true }
    guard let question else {
      add(entities[entity].updated, .updated) { _ in true }
      return add(entities[entity].inserted, .inserted) { _ in true }
    }
    if areRowsKnown {
      for place in question.slots.places {
        guard let numbers = entities[entity].touching[place] else { continue }
        add(numbers, .updated) { $0.touched.meets(question.slots) }
      }
      add(entities[entity].outdated, .updated) { $0.isOutdated }
    } else {
      add(entities[entity].updated, .updated) { _ in true }
    }
    if let places = candidates(entity, question.condition) {
      let inserted = entities[entity].inserted
      add(ContiguousArray(places.lazy.map { inserted[$0] }), .inserted) { _ in true }
    } else {
      add(entities[entity].inserted, .inserted) { _ in true }
    }
  }

  /// The places of the new objects that may meet a condition; nil if no attribute leads to them.
  private func candidates(_ entity: Int, _ condition: PendingCondition) -> ContiguousArray<Int>? {
    // For a few objects a comparison of each takes less time.
    if entities[entity].inserted.count < 8 { return nil }
    switch condition {
    case .isOneOf(let slot, let hashes): return values(of: slot, entity).places(hashes)
    case .all(let parts):
      // The attribute with the fewest objects decides.
      var least: (slot: PropertySlot, hashes: Set<Int>, count: Int)?
      for case .isOneOf(let slot, let hashes) in parts {
        let count = values(of: slot, entity).count(hashes)
        if count < least?.count ?? .max { least = (slot, hashes, count) }
      }
      if let least { return values(of: least.slot, entity).places(least.hashes) }
      return parts.lazy.compactMap { self.candidates(entity, $0) }.first
    case .some(let parts):
      var places: Set<Int> = []
      for part in parts {
        guard let some = candidates(entity, part) else { return nil }
        places.formUnion(some)
      }
      return ContiguousArray(places)
    case .any, .isBetween, .hasPrefix: return nil
    }
  }

  /// The new objects of an entity by an attribute.
  private func values(of slot: PropertySlot, _ entity: Int) -> PendingValues {
    if let values = entities[entity].values[slot.index] { return values }
    let values = PendingValues(slot)
    values.reserve(entities[entity].inserted.count)
    for number in entities[entity].inserted {
      let record = records[Int(number)]
      guard record.role == .inserted, let object = record.object else { continue }
      values.set(object.valueHash(slot), at: record.place)
    }
    entities[entity].values[slot.index] = values
    return values
  }

  /// Whether an object that is among the stores' rows counts as its row says.
  func isAsItsRow(_ object: NSManagedObject, _ question: PendingQuestion) -> Bool {
    guard let number = numbers[ObjectIdentifier(object)] else { return false }
    let record = records[Int(number)]
    return record.role == .updated && !record.isOutdated && !record.touched.meets(question.slots)
      && question.isDecided(for: object.layout)
  }
}

// MARK: Rows that have changed below

extension PendingObjects {
  /// Whether the read transactions of a store may tell which state they see.
  func tellsMoments(_ store: NSPersistentStore) -> Bool { !timeless.contains(ObjectIdentifier(store)) }

  /// Compares, where the fetch's entity is in this store alone, the rows that the updated objects have read with those of the state that a transaction sees.
  /// - Returns: whether no object was found whose row has changed.
  func verify(_ target: FetchTarget, _ store: NSPersistentStore, _ transaction: ReadTransaction) -> Bool {
    var areSame = true
    for entity in entities.indices
    where target.includes(entities[entity].layout) && !entities[entity].updated.isEmpty {
      if !verify(entity, store, transaction) { areSame = false }
    }
    return areSame
  }

  private func verify(_ entity: Int, _ store: NSPersistentStore, _ transaction: ReadTransaction) -> Bool {
    let moment = transaction.moment
    guard moment != .max else {
      timeless.insert(ObjectIdentifier(store))
      return false
    }
    let wanted: ContiguousArray<Int32>
    if let verified = entities[entity].verified, verified == (ObjectIdentifier(store), moment) {
      if entities[entity].unverified.isEmpty { return true }
      wanted = entities[entity].unverified
    } else {
      entities[entity].outdated = []
      wanted = entities[entity].updated
    }
    entities[entity].unverified = []
    entities[entity].verified = (ObjectIdentifier(store), moment)
    var areSame = true
    let root = entities[entity].layout.rootNumber, commit = transaction.pinnedCommit
    let shard = store.rows.shard(root)
    for number in wanted {
      records[Int(number)].isUnverified = false
      guard records[Int(number)].role == .updated, let object = records[Int(number)].object else { continue }
      let row = shard.get(object.key, at: commit) ?? transaction.ownRow(object.key, root: root)
      let isSame = row != nil && row === object.snapshot && object.table?.store === store
      if !isSame {
        entities[entity].outdated.append(number)
        if !records[Int(number)].isOutdated { areSame = false }
      }
      records[Int(number)].isOutdated = !isSame
    }
    return areSame
  }
}

/// A changed object as a fetch sees it.
struct PendingItem {
  let object: NSManagedObject
  /// Whether the predicate may hold for the object.
  let isAsked: Bool
  /// Whether the store may have a row of the object, which counts no longer.
  let hidesRow: Bool
}
