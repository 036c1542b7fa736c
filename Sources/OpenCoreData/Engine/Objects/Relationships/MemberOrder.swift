import Foundation

/// The order of an ordered relationship, beside the members in its `ToManyState`. Appending to a relationship that has
/// not been read does not read it: appended members wait in `list`. Removing only notes the removed member, so that
/// removing many takes one pass through the members.
final class MemberOrder {
  /// While `members` is nil: all members in their order if `isWhole`, else those that come after the stored ones.
  @exclusivity(unchecked) var list: ContiguousArray<NSManagedObject> = []
  @exclusivity(unchecked) var isWhole = false
  /// Former members that `list` may still contain.
  @exclusivity(unchecked) private var dropped: Set<NSManagedObject> = []
  /// Members that were removed and added again before the stored ones were known: they come last now.
  @exclusivity(unchecked) private(set) var returned: Set<NSManagedObject> = []
  /// The difference between the order and the stored members without the removed ones, followed by the added ones.
  @exclusivity(unchecked) var arrangement = Arrangement.none
  /// Whether the order may differ from the stored members without the removed ones, followed by the added ones.
  var isArranged: Bool { if case .none = arrangement { false } else { true } }
  /// Counts changes of the members and their order.
  @exclusivity(unchecked) var generation = 0

  /// The live view that `mutableOrderedSetValue(forKey:)` has returned, while the application holds it.
  @exclusivity(unchecked) weak var view: NSMutableOrderedSet?
  /// The same view, kept alive from the first member that is added through it to the next save, or until changes are
  /// dropped otherwise: making a new view for every added member would cost a pass through all members each.
  @exclusivity(unchecked) var keptView: NSMutableOrderedSet?

  /// Adds a member at the end.
  /// - Parameter isReturning: whether it was removed before, so that a stored place of it does not count any more.
  func append(_ object: NSManagedObject, to members: inout ContiguousArray<NSManagedObject>?, isReturning: Bool) {
    generation += 1
    if isReturning { arrangement.place(object, at: members?.count ?? list.count) }
    guard members == nil else {
      members?.append(object)
      return
    }
    if isReturning, !isWhole { returned.insert(object) }
    if dropped.contains(object) { compact() }
    list.append(object)
  }

  /// Notes that an object is no member any more; the members are put together anew when they are asked for.
  func drop(_ object: NSManagedObject, from members: inout ContiguousArray<NSManagedObject>?) {
    generation += 1
    if let whole = members.take() {
      list = whole
      isWhole = true
    }
    returned.remove(object)
    arrangement.forget(object)
    dropped.insert(object)
  }

  /// All members in their order if they are known without reading.
  func takeWhole() -> ContiguousArray<NSManagedObject>? {
    compact()
    guard isWhole else { return nil }
    isWhole = false
    defer { list = [] }
    return list
  }

  /// The stored members, without those that were removed, followed by what was appended since.
  func arranged(
    _ stored: ContiguousArray<NSManagedObject>, _ keys: KeyArray, removed: Set<NSManagedObject>
  ) -> ContiguousArray<NSManagedObject> {
    compact()
    defer {
      list = []
      returned = []
    }
    var result = stored
    if !removed.isEmpty || !returned.isEmpty {
      result.removeAll { removed.contains($0) || returned.contains($0) }
    }
    result.append(contentsOf: list.lazy.filter { !keys.contains($0.key) || self.returned.contains($0) })
    return result
  }

  func compact() {
    if dropped.isEmpty { return }
    if dropped.count <= 4 {
      // For a few objects, comparing references is less work than looking up every element of `list` in a set.
      for object in dropped {
        if let index = list.position(of: object) { list.remove(at: index) }
      }
    } else {
      list.removeAll(where: dropped.contains)
    }
    dropped = []
  }

  /// Called after a save, or when the stored members are read anew.
  func reset(keeping appended: ContiguousArray<NSManagedObject> = []) {
    list = appended
    isWhole = false
    dropped = []
    if appended.isEmpty { returned = [] }
    arrangement = .none
    keptView = nil
  }
}

extension ContiguousArray where Element == NSManagedObject {
  /// Where an object is, by its identity.
  func position(of object: NSManagedObject) -> Int? { position(of: ObjectIdentifier(object), near: 0) }

  /// Where an object is: looked for from a position on in both directions.
  func position(of object: ObjectIdentifier, near start: Int) -> Int? {
    let references = Borrowed(self)
    var below = Swift.min(start, references.count) - 1
    var above = below + 1
    while above < references.count, below >= 0 {
      if references[above].isReference(to: object) { return above }
      if references[below].isReference(to: object) { return below }
      above += 1
      below -= 1
    }
    while above < references.count {
      if references[above].isReference(to: object) { return above }
      above += 1
    }
    while below >= 0 {
      if references[below].isReference(to: object) { return below }
      below -= 1
    }
    return nil
  }
}
