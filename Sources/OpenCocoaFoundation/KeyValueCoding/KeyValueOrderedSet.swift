import Foundation

/// What `mutableOrderedSetValue(forKey:)` hands out: a live view of an ordered set that is a property.
///
/// Foundation's ordered sets answer much from a storage of their own (`array`, `set`, iteration), whatever a subclass
/// overrides. So this one's storage is brought up to date whenever the view is asked for anything that can be overridden.
final class KeyValueOrderedSet: NSMutableOrderedSet {
  private let property: CollectionProperty
  /// While it changes the storage, Foundation asks what is in it.
  private var isRefreshing = false

  init(of object: any _KeyValueCodingAndObserving, _ key: String) {
    property = CollectionProperty(object: object, key: key, kind: .orderedSet)
    super.init(objects: nil, count: 0)
    refresh()
  }

  required convenience init?(coder: NSCoder) {
    raise(.invalidArgument, "An ordered set that stands for a property cannot be archived.")
  }

  required convenience init(arrayLiteral elements: Any...) {
    raise(
      .invalidArgument, "An ordered set that stands for a property is made by mutableOrderedSetValue(forKey:) alone.")
  }

  // MARK: Reading

  /// Brings the inherited storage up to date.
  private func refresh() {
    guard !isRefreshing else { return }
    isRefreshing = true
    defer { isRefreshing = false }
    let elements = property.elements
    if super.count == elements.count,
      zip(0..., elements).allSatisfy({ super.object(at: $0) as AnyObject === $1 as AnyObject })
    {
      return
    }
    while super.count > 0 { super.removeObject(at: super.count - 1) }
    for element in elements { super.insert(element, at: super.count) }
  }

  private var current: NSOrderedSet { NSOrderedSet(array: property.elements) }

  override var count: Int {
    refresh()
    return super.count
  }

  override func object(at idx: Int) -> Any {
    refresh()
    if !isRefreshing { property.check(idx, super.count, "objectAtIndex:") }
    return super.object(at: idx)
  }

  override func index(of object: Any) -> Int {
    isRefreshing ? super.index(of: object) : current.index(of: object)
  }

  override func contains(_ object: Any) -> Bool {
    isRefreshing ? super.contains(object) : current.contains(object)
  }

  override func copy(with zone: NSZone? = nil) -> Any { current }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: property.elements) }

  // MARK: Changing

  /// Sets the property, and the inherited storage with it.
  private func set(_ elements: [Any], _ change: ObservedChange) {
    property.set(elements, change)
    refresh()
  }

  override func insert(_ object: Any, at idx: Int) { insert([object], at: [idx]) }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    var elements = property.elements
    let known = NSMutableSet(array: elements)
    var inserted = IndexSet()
    for (object, index) in zip(objects, indexes) where !known.contains(object) {
      property.check(index, elements.count + 1, "insertObjects:atIndexes:")
      elements.insert(object, at: index)
      inserted.insert(index)
      known.add(object)
    }
    if !inserted.isEmpty { set(elements, .indexed(.insertion, inserted)) }
  }

  override func add(_ object: Any) { addObjects(from: [object]) }

  override func addObjects(from array: [Any]) {
    let elements = property.elements
    let known = NSMutableSet(array: elements)
    var added: [Any] = []
    for object in array where !known.contains(object) {
      added.append(object)
      known.add(object)
    }
    guard !added.isEmpty else { return }
    set(elements + added, .indexed(.insertion, IndexSet(elements.count..<elements.count + added.count)))
  }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
  }

  override func removeObject(at idx: Int) { removeObjects(at: [idx]) }

  override func removeObjects(at indexes: IndexSet) {
    guard let last = indexes.last else { return }
    var elements = property.elements
    property.check(last, elements.count, "removeObjectsAtIndexes:")
    for index in indexes.reversed() { elements.remove(at: index) }
    set(elements, .indexed(.removal, indexes))
  }

  override func removeObjects(in range: NSRange) { removeObjects(at: IndexSet(range.location..<range.upperBound)) }

  override func removeAllObjects() { removeObjects(at: IndexSet(0..<count)) }

  override func remove(_ val: Any) { removeObjects(in: [val]) }

  override func removeObjects(in array: [Any]) {
    let others = NSSet(array: array)
    remove { others.contains($0) }
  }

  private func remove(where isWanted: (Any) -> Bool) {
    removeObjects(at: IndexSet(property.elements.enumerated().filter { isWanted($0.element) }.map(\.offset)))
  }

  override func intersect(_ other: NSOrderedSet) { remove { !other.contains($0) } }

  override func minus(_ other: NSOrderedSet) { remove { other.contains($0) } }

  override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }

  override func intersectSet(_ other: Set<AnyHashable>) { intersect(NSOrderedSet(array: Array(other))) }

  override func minusSet(_ other: Set<AnyHashable>) { minus(NSOrderedSet(array: Array(other))) }

  override func unionSet(_ other: Set<AnyHashable>) { addObjects(from: Array(other)) }

  override func replaceObject(at idx: Int, with obj: Any) { replaceObjects(at: [idx], with: [obj]) }

  override func setObject(_ obj: Any, at idx: Int) {
    if idx == count { add(obj) } else { replaceObject(at: idx, with: obj) }
  }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    var elements = property.elements
    var replaced = IndexSet()
    for (object, index) in zip(objects, indexes) {
      property.check(index, elements.count, "replaceObjectsAtIndexes:withObjects:")
      let place = NSArray(array: elements).index(of: object)
      guard place == NSNotFound || place == index else { continue }  // it is in the set already
      elements[index] = object
      replaced.insert(index)
    }
    if !replaced.isEmpty { set(elements, .indexed(.replacement, replaced)) }
  }

  override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
    var elements = property.elements
    property.check(range.upperBound, elements.count + 1, "replaceObjectsInRange:withObjects:count:")
    let objects = Array(UnsafeBufferPointer(start: objects, count: count)) as [Any]
    elements.replaceSubrange(range.location..<range.upperBound, with: objects)
    set(NSOrderedSet(array: elements).array, .setting)
  }

  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
    guard idx1 != idx2 else { return }
    var elements = property.elements
    property.check(Swift.max(idx1, idx2), elements.count, "exchangeObjectAtIndex:withObjectAtIndex:")
    elements.swapAt(idx1, idx2)
    set(elements, .indexed(.replacement, [idx1, idx2]))
  }

  override func moveObjects(at indexes: IndexSet, to idx: Int) {
    var elements = property.elements
    if let last = indexes.last { property.check(last, elements.count, "moveObjectsAtIndexes:toIndex:") }
    let moved = indexes.map { elements[$0] }
    for index in indexes.reversed() { elements.remove(at: index) }
    property.check(idx, elements.count + 1, "moveObjectsAtIndexes:toIndex:")
    elements.insert(contentsOf: moved, at: idx)
    set(elements, .setting)
  }

  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    set(NSArray(array: property.elements).sortedArray(using: sortDescriptors), .setting)
  }

  override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) { sort(options: [], usingComparator: cmptr) }

  override func sort(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) {
    sortRange(NSRange(location: 0, length: count), options: opts, usingComparator: cmptr)
  }

  override func sortRange(
    _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
  ) {
    var elements = property.elements
    let part = NSArray(array: Array(elements[range.location..<range.upperBound]))
    elements.replaceSubrange(
      range.location..<range.upperBound, with: part.sortedArray(options: opts, usingComparator: cmptr))
    set(elements, .setting)
  }
}
