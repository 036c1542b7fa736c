import Foundation

/// A sort descriptor with a key of key-value coding, which Foundation's own lacks here.
final class KeyedSortDescriptor: NSSortDescriptor {
  /// How two values are ordered.
  enum Order {
    case selector(Selector)
    case comparator(Comparator)
  }

  /// Where the values are found.
  enum Source: Equatable {
    case evaluatedObject
    case key(String)
    /// A Swift key path, whose name generated code may register later.
    case keyPath(AnyKeyPath)
  }

  let source: Source
  let order: Order
  private let strings: StringOrder?

  init(source: Source, ascending: Bool, order: Order) {
    self.source = source
    self.order = order
    if case .selector(let selector) = order { strings = StringOrder(selector) } else { strings = nil }
    // Foundation knows only sorting by Swift key paths; this one is never read.
    super.init(keyPath: \Unread.value, ascending: ascending)
  }

  private struct Unread {
    var value = 0
  }

  /// The value that an object is sorted by.
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

  /// The order of two values, before it is reversed for a descending sort; nil comes before everything.
  func order(of left: Any?, _ right: Any?) throws -> ComparisonResult {
    if case .comparator(let comparator) = order { return comparator(left ?? NSNull(), right ?? NSNull()) }
    return try order(of: Operand(left), Operand(right))
  }

  /// - Throws: `OCDEvaluationError` for strings where the selector is none of those that there are.
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
    required { try checkedOrder(of: object1, object2) }
  }

  /// - Throws: `OCDEvaluationError` for a key that an object does not have.
  fileprivate func checkedOrder(of object1: Any, _ object2: Any) throws -> ComparisonResult {
    let result = try order(of: value(of: object1), value(of: object2))
    return ascending ? result : result.reversed
  }

  /// The block that was given, or one that orders two values as the method does.
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
  /// The order of two objects, as `compare(_:to:)` gives it.
  ///
  /// - Throws: `OCDEvaluationError` for a key that an object does not have, and for a selector that orders no strings.
  package func checkedCompare(_ object1: Any, to object2: Any) throws -> ComparisonResult {
    guard let keyed = self as? KeyedSortDescriptor else { return compare(object1, to: object2) }
    return try keyed.checkedOrder(of: object1, object2)
  }
}
