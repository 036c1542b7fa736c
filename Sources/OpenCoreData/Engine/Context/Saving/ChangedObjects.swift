/// A context's objects with changes, in the order in which they changed.
///
/// An object can be taken out without looking at the others, so that the cost of an event does not depend on how many
/// changes are pending besides. It leaves a gap; the gaps are closed when there are more gaps than objects.
struct ChangedObjects: Sequence {
  private var entries: ContiguousArray<NSManagedObject?> = []
  private var gaps = 0
  private var goneCount = 0
  private var layouts: ContiguousArray<EntityLayout> = []
  private var lastLayout: Uncounted<EntityLayout>?
  /// What single removals, and fetches with changes, need; nil before the first.
  private(set) var index: Index?

  struct Iterator: IteratorProtocol {
    fileprivate var entries: ContiguousArray<NSManagedObject?>.Iterator

    @inline(__always)
    mutating func next() -> NSManagedObject? {
      while let entry = entries.next() { if let object = entry { return object } }
      return nil
    }
  }

  // Inlined, so that a walk through a context's list copies the array alone.
  @inline(__always)
  func makeIterator() -> Iterator { Iterator(entries: entries.makeIterator()) }

  var underestimatedCount: Int { count }

  var count: Int { entries.count - gaps }

  @inline(__always)
  var isEmpty: Bool { entries.count == gaps }

  /// Whether there is an object that was not deleted by another context. Objects that were keep their place until the
  /// next save, but they do not matter: the store has no rows of them either.
  @inline(__always)
  var isPending: Bool { count > goneCount }

  /// Whether there may be an object that another context has deleted.
  var hasGone: Bool { goneCount > 0 }

  /// Notes that one of the objects has become inaccessible.
  mutating func noteGone() { goneCount += 1 }

  /// The end of the positions that `at(_:)` takes.
  var endPosition: Int { entries.count }

  /// The object at a position; nil for a gap.
  func at(_ position: Int) -> NSManagedObject? { entries[position] }

  /// Calls `body` with each of the present objects, without counting a reference for each.
  @inline(__always)
  func forEachUncounted(_ body: (NSManagedObject) throws -> Void) rethrows {
    // The copy retains the objects while `body` runs, which may change the list.
    let entries = entries
    try entries.forEachUncounted { (object: NSManagedObject) in try body(object) }
  }

  /// Adds an object that is not in the list.
  @inline(__always)
  mutating func append(_ object: NSManagedObject) {
    if object.layoutReference != lastLayout { note(object.layoutReference) }
    entries.append(object)
  }

  /// Notes the layout of an object. It is called rarely, since objects mostly come entity by entity.
  private mutating func note(_ reference: Uncounted<EntityLayout>) {
    lastLayout = reference
    let layout = reference.counted
    if !layouts.contains(where: { $0 === layout }) { layouts.append(layout) }
  }

  // The next two depend on all objects that were added since the list was last empty.

  /// Whether some of the objects may refer to others, by relationships that stores keep.
  var mayHaveRelationships: Bool { layouts.contains { !$0.relationshipPlaces.isEmpty } }

  /// Whether none of the objects has values that are to be encoded before they are written.
  var keepPlainRows: Bool { layouts.allSatisfy(\.keepsPlainRows) }

  mutating func madeIndex() -> Index {
    if let index { return index }
    let made = Index()
    index = made
    return made
  }

  /// Takes out an object, if it is in the list. If `noteGone` was called for the object, it must still be inaccessible.
  mutating func remove(_ object: NSManagedObject) {
    let index = madeIndex()
    while index.placed < entries.count {
      if let entry = entries[index.placed] { index.places[ObjectIdentifier(entry)] = index.placed }
      index.placed += 1
    }
    guard let place = index.places.removeValue(forKey: ObjectIdentifier(object)) else { return }
    entries[place] = nil
    gaps += 1
    if let byEntity = index.byEntity, !byEntity.remove(object) { index.byEntity = nil }
    if object.state.contains(.inaccessible), goneCount > 0 { goneCount -= 1 }
    while case .some(nil) = entries.last {
      entries.removeLast()
      gaps -= 1
    }
    index.placed = Swift.min(index.placed, entries.count)
    if let byEntity = index.byEntity, byEntity.position > entries.count { byEntity.position = entries.count }
    if gaps * 2 > entries.count { removeAll { _ in false } }
  }

  mutating func removeAll(where isRemoved: (NSManagedObject) throws -> Bool) rethrows {
    // In most cases no object is removed, and the array stays as it is.
    var first = 0
    while first < entries.count {
      if let object = entries[first], try isRemoved(object) { break }
      first += 1
    }
    if first == entries.count, gaps == 0, goneCount == 0 { return }
    var kept = ContiguousArray(entries[..<first].filter { $0 != nil })
    for entry in entries[first...].dropFirst() {
      if let object = entry, try !isRemoved(object) { kept.append(object) }
    }
    let gone = kept.count { $0?.state.contains(.inaccessible) == true }
    let known = layouts, pending = first == entries.count ? index?.byEntity : nil
    pending?.position = entries[..<(pending?.position ?? 0)].count { $0 != nil }
    self = ChangedObjects()
    if let pending { madeIndex().byEntity = pending }
    if !kept.isEmpty { layouts = known }
    entries = kept
    goneCount = gone
  }
}
