import OpenCocoaFoundation

/// A changed object as a fetch sees it.
struct PendingItem {
  let object: NSManagedObject
  /// Whether the predicate may hold for the object.
  let isAsked: Bool
  /// Whether the store may have a row of the object, which counts no longer.
  let hidesRow: Bool
}

// Which changed objects a fetch has to ask.
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
}
