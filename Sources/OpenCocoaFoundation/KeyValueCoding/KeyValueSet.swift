import Foundation

/// The result of `mutableSetValue(forKey:)`: a live view of a property that holds a set.
final class KeyValueSet: NSMutableSet {
  private let property: CollectionProperty

  init(of object: any _KeyValueCodingAndObserving, _ key: String) {
    property = CollectionProperty(object: object, key: key, kind: .set)
    super.init(capacity: 0)
  }

  required init(capacity numItems: Int) {
    raise(.invalidArgument, "A set that stands for a property is made by mutableSetValue(forKey:) alone.")
  }

  required convenience init?(coder: NSCoder) {
    raise(.invalidArgument, "A set that stands for a property cannot be archived.")
  }

  override init(objects: UnsafePointer<AnyObject>?, count: Int) {
    raise(.invalidArgument, "A set that stands for a property is made by mutableSetValue(forKey:) alone.")
  }

  private var current: NSSet { NSSet(array: property.elements) }

  // MARK: Reading

  override var count: Int { property.elements.count }

  override func member(_ object: Any) -> Any? { current.member(object) }

  override func contains(_ object: Any) -> Bool { current.contains(object) }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: property.elements).objectEnumerator() }

  override var allObjects: [Any] { property.elements }

  override func copy(with zone: NSZone? = nil) -> Any { current }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: property.elements) }

  // MARK: Changing

  override func add(_ object: Any) { addObjects(from: [object]) }

  override func addObjects(from array: [Any]) { change(.union, NSSet(array: array)) }

  override func union(_ otherSet: Set<AnyHashable>) { change(.union, NSSet(array: Array(otherSet))) }

  override func remove(_ object: Any) { change(.minus, NSSet(object: object)) }

  override func minus(_ otherSet: Set<AnyHashable>) { change(.minus, NSSet(array: Array(otherSet))) }

  override func removeAllObjects() { change(.minus, current) }

  override func intersect(_ otherSet: Set<AnyHashable>) { change(.intersect, NSSet(array: Array(otherSet))) }

  override func setSet(_ otherSet: Set<AnyHashable>) { change(.set, NSSet(array: Array(otherSet))) }

  private func change(_ kind: NSKeyValueSetMutationKind, _ objects: NSSet) {
    let current = property.elements
    let elements: [Any]
    switch kind {
    case .union:
      let known = NSSet(array: current)
      elements = current + objects.allObjects.filter { !known.contains($0) }
    case .minus: elements = current.filter { !objects.contains($0) }
    case .intersect: elements = current.filter { objects.contains($0) }
    case .set: elements = objects.allObjects
    }
    if kind != .set, elements.count == current.count { return }
    property.set(elements, .mutation(kind, objects))
  }
}
