import Foundation

/// A sort descriptor with a key of key-value coding. Foundation's own sort descriptors have no such keys on this platform.
final class KeyedSortDescriptor: NSSortDescriptor {
  /// The way in which two values are compared.
  enum Order {
    case selector(Selector)
    case comparator(Comparator)
  }

  /// The source of the values that are compared.
  enum Source: Equatable {
    case evaluatedObject
    case key(String)
    /// A Swift key path, whose name generated code may register later.
    case keyPath(AnyKeyPath)
  }

  let source: Source
  let order: Order
  /// The order of strings; nil if the selector names none.
  let strings: StringOrder?

  /// The readers of the key for the objects that were compared.
  let readers = ShapeCache<PropertyReader>()

  init(source: Source, ascending: Bool, order: Order) {
    self.source = source
    self.order = order
    if case .selector(let selector) = order { strings = StringOrder(selector) } else { strings = nil }
    // Foundation's initialiser requires a Swift key path. The one that is passed here is never read.
    super.init(keyPath: \Unread.value, ascending: ascending)
  }

  private struct Unread {
    var value = 0
  }

  /// Returns the value that an object is sorted by.
  ///
  /// - Throws: `OCDEvaluationError` for a key that the object does not have.
  func value(of object: Any) throws -> Any? {
    switch source {
    case .evaluatedObject: return object
    case .key(let key): return try KeyValueCoding.askedValue(of: object, forKeyPath: key)
    case .keyPath(let keyPath):
      if let value = object[keyPath: keyPath] { return value }
      return try KeyPathNames.name(of: keyPath).flatMap { try KeyValueCoding.askedValue(of: object, forKeyPath: $0) }
    }
  }

  /// Returns the order of two values; it is not yet reversed for a descending sort. Nil comes before all other values.
  func order(of left: Any?, _ right: Any?) throws -> ComparisonResult {
    if case .comparator(let comparator) = order { return comparator(left ?? NSNull(), right ?? NSNull()) }
    return try order(of: Operand(left), Operand(right))
  }

  /// - Throws: `OCDEvaluationError` for strings if the selector is not supported.
  func order(of left: Operand, _ right: Operand) throws -> ComparisonResult {
    switch (left, right) {
    case (.null, .null): return .orderedSame
    case (.null, _): return .orderedAscending
    case (_, .null): return .orderedDescending
    case (.string(let left), .string(let right)):
      guard let strings else {
        throw OCDEvaluationError("unsupported NSSortDescriptor selector: \(selector?.description ?? "nil")")
      }
      return strings.order(left, right)
    default: return left.order(to: right) ?? .orderedSame
    }
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    if let result = placedOrder(of: object1, object2) { return ascending ? result : result.reversed }
    return required { try checkedOrder(of: object1, object2) }
  }

  /// - Throws: `OCDEvaluationError` for a key that an object does not have.
  fileprivate func checkedOrder(of object1: Any, _ object2: Any) throws -> ComparisonResult {
    let result = try order(of: value(of: object1), value(of: object2))
    return ascending ? result : result.reversed
  }

  /// The block that the descriptor was made with, or a block that orders two values in the same way as the selector's method.
  override var comparator: Comparator {
    if case .comparator(let comparator) = order { return comparator }
    return { [self] first, second in required { try order(of: first, second) } }
  }

  override var reversedSortDescriptor: Any {
    KeyedSortDescriptor(source: source, ascending: !ascending, order: order)
  }

  override var classForKeyedArchiver: AnyClass? { NSSortDescriptor.self }

  override func copy(with zone: NSZone? = nil) -> Any {
    self
  }

  override var description: String {
    let order = ascending ? "ascending" : "descending"
    return "(\(key ?? "self"), \(order), \(selector?.description ?? "comparator"))"
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeyedSortDescriptor else { return false }
    if self === other { return true }
    // Blocks cannot be compared.
    guard let selector, ascending == other.ascending, selector == other.selector else { return false }
    return source == other.source || key != nil && key == other.key
  }

  override var hash: Int {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(ascending)
    return hasher.finalize()
  }
}

extension NSSortDescriptor {
  /// Returns the order of two objects, like `compare(_:to:)`, but throws instead of stopping the program.
  ///
  /// - Throws: `OCDEvaluationError` for a key that an object does not have, and for strings if the selector is not supported.
  package func checkedCompare(_ object1: Any, to object2: Any) throws -> ComparisonResult {
    guard let keyed = self as? KeyedSortDescriptor else { return compare(object1, to: object2) }
    return try keyed.checkedOrder(of: object1, object2)
  }
}
