import Foundation

/// The result of `mutableOrderedSetValue(forKey:)`: a live view of a property that holds an ordered set.
///
/// Foundation's ordered sets read much from a storage of their own (`array`, `set`, iteration), whatever a subclass overrides.
/// So every method that this class overrides first brings the inherited storage up to date.
final class KeyValueOrderedSet: NSMutableOrderedSet {
  private let contents: any OrderedContents
  /// Whether the inherited storage is being read or changed. Foundation then calls methods that are overridden here, and they
  /// must not update the storage.
  private var isInStorage = false
  /// The generation of the contents when the storage was brought up to date; nil if it may be out of date.
  private var seen: Int?

  init(_ contents: any OrderedContents) {
    self.contents = contents
    super.init(objects: nil, count: 0)
    refresh()
  }

  convenience init(of object: any _KeyValueCodingAndObserving, _ key: String) {
    self.init(CollectionProperty(object: object, key: key, kind: .orderedSet))
  }

  required convenience init?(coder: NSCoder) {
    raise(.invalidArgument, "An ordered set that stands for a property cannot be archived.")
  }

  required convenience init(arrayLiteral elements: Any...) {
    raise(
      .invalidArgument, "An ordered set that stands for a property is made by mutableOrderedSetValue(forKey:) alone.")
  }

  // MARK: The inherited storage

  private func inStorage<Result>(_ body: () -> Result) -> Result {
    let was = isInStorage
    isInStorage = true
    defer { isInStorage = was }
    return body()
  }

  /// Brings the storage up to date: the elements from the first difference to the last one are replaced.
  private func refresh() {
    guard !isInStorage else { return }
    let generation = contents.generation
    if let generation, generation == seen { return }
    inStorage {
      let elements = contents.elements
      var same = 0
      while same < Swift.min(super.count, elements.count),
        super.object(at: same) as AnyObject === elements[same] as AnyObject
      {
        same += 1
      }
      var end = elements.count
      var oldEnd = super.count
      while end > same, oldEnd > same, super.object(at: oldEnd - 1) as AnyObject === elements[end - 1] as AnyObject {
        end -= 1
        oldEnd -= 1
      }
      while oldEnd > same {
        oldEnd -= 1
        super.removeObject(at: oldEnd)
      }
      for index in same..<end { super.insert(elements[index], at: index) }
    }
    seen = generation
  }

  /// Applies to the contents the change that has been made to the storage.
  private func follow(_ change: () -> Void) {
    change()
    seen = contents.count == inStorage { super.count } ? contents.generation : nil
    if seen == nil { refresh() }
  }

  // MARK: Reading

  override var count: Int {
    refresh()
    return inStorage { super.count }
  }

  override func object(at idx: Int) -> Any {
    refresh()
    return inStorage {
      contents.check(idx, super.count, "objectAtIndex:")
      return super.object(at: idx)
    }
  }

  override func index(of object: Any) -> Int {
    if let position = contents.position(of: object) { return position ?? NSNotFound }
    refresh()
    return inStorage { super.index(of: object) }
  }

  override func contains(_ object: Any) -> Bool {
    refresh()
    return inStorage { super.contains(object) }
  }

  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: contents.elements) }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: contents.elements) }

  // MARK: Changing

  override func insert(_ object: Any, at idx: Int) { insert([object], at: [idx]) }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    refresh()
    var inserted: [Any] = []
    var places = IndexSet()
    inStorage {
      for (object, index) in zip(objects, indexes) where !super.contains(object) {
        contents.check(index, super.count + 1, "insertObjects:atIndexes:")
        super.insert(object, at: index)
        inserted.append(object)
        places.insert(index)
      }
    }
    if !inserted.isEmpty { follow { contents.insert(inserted, at: places) } }
  }

  override func add(_ object: Any) { insert([object], at: [count]) }

  override func addObjects(from array: [Any]) {
    refresh()
    let known = NSMutableSet()
    let new = array.filter { object in
      if contains(object) || known.contains(object) { return false }
      known.add(object)
      return true
    }
    let count = count
    insert(new, at: IndexSet(count..<count + new.count))
  }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
  }

  override func removeObject(at idx: Int) {
    if isInStorage { super.removeObject(at: idx) } else { removeObjects(at: [idx]) }
  }

  override func removeObjects(at indexes: IndexSet) {
    guard let last = indexes.last else { return }
    contents.check(last, count, "removeObjectsAtIndexes:")
    inStorage { for index in indexes.reversed() { super.removeObject(at: index) } }
    follow { contents.remove(at: indexes) }
  }

  override func removeObjects(in range: NSRange) { removeObjects(at: IndexSet(range.location..<range.upperBound)) }

  override func removeAllObjects() { removeObjects(at: IndexSet(0..<count)) }

  override func remove(_ val: Any) {
    guard let position = contents.position(of: val) else { return removeObjects(in: [val]) }
    if let position { removeObject(at: position) }
  }

  override func removeObjects(in array: [Any]) {
    let others = NSSet(array: array)
    remove { others.contains($0) }
  }

  private func remove(where isWanted: (Any) -> Bool) {
    removeObjects(at: IndexSet(contents.elements.enumerated().filter { isWanted($0.element) }.map(\.offset)))
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
    refresh()
    var new: [Any] = []
    var replaced = IndexSet()
    inStorage {
      for (object, index) in zip(objects, indexes) {
        contents.check(index, super.count, "replaceObjectsAtIndexes:withObjects:")
        if super.contains(object) {
          guard super.index(of: object) == index else { continue }  // already in the set, at another index
        } else {
          super.removeObject(at: index)
          super.insert(object, at: index)
        }
        new.append(object)
        replaced.insert(index)
      }
    }
    if !replaced.isEmpty { follow { contents.replace(at: replaced, with: new) } }
  }

  override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
    var elements = contents.elements
    contents.check(range.upperBound, elements.count + 1, "replaceObjectsInRange:withObjects:count:")
    let objects = Array(UnsafeBufferPointer(start: objects, count: count)) as [Any]
    elements.replaceSubrange(range.location..<range.upperBound, with: objects)
    contents.set(NSOrderedSet(array: elements).array, .setting)
    refresh()
  }

  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
    guard idx1 != idx2 else { return }
    let (low, high) = (Swift.min(idx1, idx2), Swift.max(idx1, idx2))
    contents.check(high, count, "exchangeObjectAtIndex:withObjectAtIndex:")
    inStorage {
      let (first, second) = (super.object(at: low), super.object(at: high))
      super.removeObject(at: high)
      super.removeObject(at: low)
      super.insert(second, at: low)
      super.insert(first, at: high)
    }
    follow { contents.exchange(idx1, idx2) }
  }

  override func moveObjects(at indexes: IndexSet, to idx: Int) {
    let count = count
    if let last = indexes.last { contents.check(last, count, "moveObjectsAtIndexes:toIndex:") }
    contents.check(idx, count - indexes.count + 1, "moveObjectsAtIndexes:toIndex:")
    inStorage {
      let moved = indexes.map { super.object(at: $0) }
      for index in indexes.reversed() { super.removeObject(at: index) }
      for (offset, object) in moved.enumerated() { super.insert(object, at: idx + offset) }
    }
    follow { contents.move(at: indexes, to: idx) }
  }

  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    contents.arrange(NSArray(array: contents.elements).sortedArray(using: sortDescriptors), .setting)
    refresh()
  }

  override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) { sort(options: [], usingComparator: cmptr) }

  override func sort(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) {
    sortRange(NSRange(location: 0, length: count), options: opts, usingComparator: cmptr)
  }

  override func sortRange(
    _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
  ) {
    var elements = contents.elements
    let part = NSArray(array: Array(elements[range.location..<range.upperBound]))
    elements.replaceSubrange(
      range.location..<range.upperBound, with: part.sortedArray(options: opts, usingComparator: cmptr))
    contents.arrange(elements, .setting)
    refresh()
  }
}
