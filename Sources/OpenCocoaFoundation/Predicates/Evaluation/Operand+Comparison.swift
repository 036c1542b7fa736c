import Foundation

extension Operand: Hashable {
  package static func == (left: Operand, right: Operand) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.string(let left), .string(let right)): return StringBytes.equal(left, right)
    case (.uuid(let left), .uuid(let right)): return left == right
    case (.data(let left), .data(let right)): return left == right
    case (.object(let left), .object(let right)): return equal(left, right)
    case (.collection(let left, let leftIsOrdered), .collection(let right, let rightIsOrdered)):
      return equal(left, right, isOrdered: leftIsOrdered && rightIsOrdered)
    case (.dictionary(let left), .dictionary(let right)): return equal(left, right)
    case (.other(let left), .other(let right)):
      return (left as? AnyHashable).map { $0 == right as? AnyHashable } ?? sameInstance(left, right)
    default: return numericOrder(left, right) == .orderedSame
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .number(let number): hasher.combine(number)
    case .date(let seconds): hasher.combine(ExactNumber.real(seconds))
    case .string(let string):
      // A string that consists of a number may equal the number, so both need the same hash.
      if let number = ExactNumber(writtenIn: string) { hasher.combine(number) } else { hasher.combine(string) }
    case .uuid(let uuid): hasher.combine(uuid)
    // All bytes are hashed. Foundation's own hash uses only the first 80, which may be equal in all files of a format.
    case .data(let data): data.withUnsafeBytes { hasher.combine(bytes: $0) }
    case .object(let object): hasher.combine((object as? PredicateIdentity)?.predicateIdentity.hash ?? object.hash)
    case .collection(let elements, _): Self.hash(elements, into: &hasher)
    case .dictionary(let values): Self.hash(Array(values.values), into: &hasher)
    case .other(let value): if let value = value as? AnyHashable { hasher.combine(value) }
    }
  }

  /// Returns the order of two values; nil if they cannot be ordered.
  package func order(to other: Operand) -> ComparisonResult? {
    switch (self, other) {
    case (.string(let left), .string(let right)): return StringBytes.order(left, right)
    case (.uuid(let left), .uuid(let right)):
      return withUnsafeBytes(of: left.uuid) { left in
        withUnsafeBytes(of: right.uuid) { Self.order(left, $0) }
      }
    case (.data(let left), .data(let right)): return Self.order(left, right)
    case (.other(let left as any Comparable), .other(let right)): return Self.order(left, right)
    default: return Self.numericOrder(self, other)
    }
  }

  // MARK: Numbers

  /// Returns the order of two numbers, dates or strings that consist of a number; nil for other values. All of these can be
  /// compared with each other, as in the columns of a store.
  private static func numericOrder(_ left: Operand, _ right: Operand) -> ComparisonResult? {
    guard let left = left.numericValue, let right = right.numericValue else { return nil }
    return left.order(to: right)
  }

  /// The number that a number, a date or a string that consists of a number is compared as; nil for other values.
  var numericValue: ExactNumber? {
    switch self {
    case .number(let number): number
    case .date(let seconds): .real(seconds)
    case .string(let string): ExactNumber(writtenIn: string)
    default: nil
    }
  }

  // MARK: Objects and sequences

  private static func equal(_ left: NSObject, _ right: NSObject) -> Bool {
    if left === right || left.isEqual(right) { return true }
    let leftIdentity = (left as? PredicateIdentity)?.predicateIdentity
    let rightIdentity = (right as? PredicateIdentity)?.predicateIdentity
    guard leftIdentity != nil || rightIdentity != nil else { return false }
    return (leftIdentity ?? left).isEqual(rightIdentity ?? right)
  }

  private static func equal(_ left: [Any], _ right: [Any], isOrdered: Bool) -> Bool {
    guard left.count == right.count else { return false }
    let left = left.map { Operand($0) }
    let right = right.map { Operand($0) }
    return isOrdered ? left == right : Set(left) == Set(right)
  }

  private static func equal(_ left: [AnyHashable: Any], _ right: [AnyHashable: Any]) -> Bool {
    left.count == right.count
      && left.allSatisfy { key, value in right[key].map { Operand(value) == Operand($0) } ?? false }
  }

  /// Hashes elements. The order is ignored, because equal collections may have no order. Objects are ignored, because their
  /// identity may change.
  private static func hash(_ elements: [Any], into hasher: inout Hasher) {
    hasher.combine(elements.count)
    hasher.combine(
      Set(
        elements.lazy.map { Operand($0) }.filter { if case .object = $0 { false } else { true } }))
  }

  private static func sameInstance(_ left: Any, _ right: Any) -> Bool {
    guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
    return left as AnyObject === right as AnyObject
  }

  private static func order<T: Comparable>(_ left: T, _ right: Any) -> ComparisonResult? {
    guard let right = right as? T else { return nil }
    return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  private static func order<T: Sequence<UInt8>, U: Sequence<UInt8>>(_ left: T, _ right: U) -> ComparisonResult {
    if left.lexicographicallyPrecedes(right) { return .orderedAscending }
    return right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
  }
}
