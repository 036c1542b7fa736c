import Foundation

/// The result of `mutableArrayValue(forKey:)`: a live view of a property that holds an array.
final class KeyValueArray: NSMutableArray {
  private let property: CollectionProperty

  init(of object: any _KeyValueCodingAndObserving, _ key: String) {
    property = CollectionProperty(object: object, key: key, kind: .array)
    super.init(capacity: 0)
  }

  override init(capacity numItems: Int) {
    raise(.invalidArgument, "An array that stands for a property is made by mutableArrayValue(forKey:) alone.")
  }

  required convenience init?(coder: NSCoder) {
    raise(.invalidArgument, "An array that stands for a property cannot be archived.")
  }

  required convenience init(arrayLiteral elements: Any...) {
    raise(.invalidArgument, "An array that stands for a property is made by mutableArrayValue(forKey:) alone.")
  }

  required init(objects: UnsafePointer<AnyObject>?, count: Int) {
    raise(.invalidArgument, "An array that stands for a property is made by mutableArrayValue(forKey:) alone.")
  }

  // MARK: Reading

  override var count: Int { property.elements.count }

  override func object(at index: Int) -> Any {
    let elements = property.elements
    property.check(index, elements.count, "objectAtIndex:")
    return elements[index]
  }

  override func index(of anObject: Any) -> Int { NSArray(array: property.elements).index(of: anObject) }

  override func contains(_ anObject: Any) -> Bool { NSArray(array: property.elements).contains(anObject) }

  override func copy(with zone: NSZone? = nil) -> Any { NSArray(array: property.elements) }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableArray(array: property.elements) }

  // MARK: Changing

  override func insert(_ anObject: Any, at index: Int) {
    var elements = property.elements
    property.check(index, elements.count + 1, "insertObject:atIndex:")
    elements.insert(anObject, at: index)
    property.set(elements, .indexed(.insertion, [index]))
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    guard let last = indexes.last, objects.count == indexes.count else { return checkCounts(objects, indexes) }
    var elements = property.elements
    property.check(last, elements.count + indexes.count, "insertObjects:atIndexes:")
    for (object, index) in zip(objects, indexes) { elements.insert(object, at: index) }
    property.set(elements, .indexed(.insertion, indexes))
  }

  override func add(_ anObject: Any) { addObjects(from: [anObject]) }

  override func addObjects(from otherArray: [Any]) {
    guard !otherArray.isEmpty else { return }
    let elements = property.elements
    let indexes = IndexSet(elements.count..<elements.count + otherArray.count)
    property.set(elements + otherArray, .indexed(.insertion, indexes))
  }

  override func removeObject(at index: Int) { removeObjects(at: [index]) }

  override func removeLastObject() {
    let count = count
    property.check(count - 1, count, "removeLastObject")
    removeObjects(at: [count - 1])
  }

  override func removeAllObjects() { removeObjects(at: IndexSet(0..<count)) }

  override func removeObjects(in range: NSRange) { removeObjects(at: IndexSet(range.location..<range.upperBound)) }

  override func removeObjects(at indexes: IndexSet) {
    guard let last = indexes.last else { return }
    var elements = property.elements
    property.check(last, elements.count, "removeObjectsAtIndexes:")
    for index in indexes.reversed() { elements.remove(at: index) }
    property.set(elements, .indexed(.removal, indexes))
  }

  override func remove(_ anObject: Any) {
    remove { NSArray(object: $0).contains(anObject) }
  }

  override func removeObject(identicalTo anObject: Any) {
    remove { $0 as AnyObject === anObject as AnyObject }
  }

  override func removeObjects(in otherArray: [Any]) {
    let others = NSArray(array: otherArray)
    remove { others.contains($0) }
  }

  private func remove(where isWanted: (Any) -> Bool) {
    removeObjects(at: IndexSet(property.elements.enumerated().filter { isWanted($0.element) }.map(\.offset)))
  }

  override func replaceObject(at index: Int, with anObject: Any) { replaceObjects(at: [index], with: [anObject]) }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    guard let last = indexes.last, objects.count == indexes.count else { return checkCounts(objects, indexes) }
    var elements = property.elements
    property.check(last, elements.count, "replaceObjectsAtIndexes:withObjects:")
    for (object, index) in zip(objects, indexes) { elements[index] = object }
    property.set(elements, .indexed(.replacement, indexes))
  }

  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
    guard idx1 != idx2 else { return }
    let (low, high) = (Swift.min(idx1, idx2), Swift.max(idx1, idx2))
    replaceObjects(at: [low, high], with: [object(at: high), object(at: low)])
  }

  override func replaceObjects(in range: NSRange, withObjectsFrom otherArray: [Any]) {
    var elements = property.elements
    property.check(range.upperBound, elements.count + 1, "replaceObjectsInRange:withObjectsFromArray:")
    elements.replaceSubrange(range.location..<range.upperBound, with: otherArray)
    property.set(elements, .setting)
  }

  override func replaceObjects(in range: NSRange, withObjectsFrom otherArray: [Any], range otherRange: NSRange) {
    replaceObjects(in: range, withObjectsFrom: Array(otherArray[otherRange.location..<otherRange.upperBound]))
  }

  override func setArray(_ otherArray: [Any]) { property.set(otherArray, .setting) }

  override func sort(_ compare: (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?) {
    setArray(NSArray(array: property.elements).sortedArray(compare, context: context))
  }

  override func sort(comparator: (Any, Any) -> ComparisonResult) { sort(options: [], usingComparator: comparator) }

  override func sort(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) {
    setArray(NSArray(array: property.elements).sortedArray(options: opts, usingComparator: cmptr))
  }

  private func checkCounts(_ objects: [Any], _ indexes: IndexSet) {
    guard objects.count != indexes.count else { return }
    raise(.invalidArgument, "There are \(objects.count) objects for \(indexes.count) indexes of \(property.key).")
  }
}
