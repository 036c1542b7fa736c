import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate

/// A condition on the attributes of a changed object that a predicate implies. It is cheap to check, and rules out most
/// objects before the predicate is evaluated.
indirect enum PendingCondition {
  /// Each object meets it.
  case any
  /// The attribute's value has one of these hashes, which equal values have in common.
  case isOneOf(PropertySlot, Set<Int>)
  /// The attribute is a number or date that, rounded to a Double, is in the range.
  case isBetween(PropertySlot, Double, Double)
  case hasPrefix(PropertySlot, String)
  case all([PendingCondition])
  case some([PendingCondition])

  /// The condition that the comparison of an attribute with a constant implies.
  init(
    _ slot: PropertySlot, _ operation: NSComparisonPredicate.Operator, _ value: Operand,
    _ options: NSComparisonPredicate.Options
  ) {
    self = .any
    guard options.isEmpty else { return }
    switch (operation, value) {
    case (.equalTo, .collection): return
    case (.equalTo, _): if slot.hasHashes { self = .isOneOf(slot, [value.hashValue]) }
    case (.in, .collection(let elements, _)):
      if slot.hasHashes { self = .isOneOf(slot, Set(elements.lazy.map { Operand($0).hashValue })) }
    case (.between, .collection(let bounds, _)) where bounds.count == 2:
      set(slot, Operand(bounds[0]).bound, Operand(bounds[1]).bound)
    case (.lessThan, _), (.lessThanOrEqualTo, _): set(slot, -.infinity, value.bound)
    case (.greaterThan, _), (.greaterThanOrEqualTo, _): set(slot, value.bound, .infinity)
    case (.beginsWith, .string(let text)): if slot.kind == .string { self = .hasPrefix(slot, text) }
    default: return
    }
  }

  private mutating func set(_ slot: PropertySlot, _ lower: Double?, _ upper: Double?) {
    guard let lower, let upper, slot.kind.isInteger || slot.kind == .double || slot.kind == .float || slot.kind == .date
    else { return }
    self = .isBetween(slot, lower, upper)
  }

  var isAny: Bool {
    switch self {
    case .any: true
    case .all(let parts): parts.isEmpty
    default: false
    }
  }

  /// Whether an object that is no fault meets the condition.
  func mayHold(for object: NSManagedObject) -> Bool {
    switch self {
    case .any: return true
    case .isOneOf(let slot, let hashes): return hashes.contains(object.valueHash(slot))
    case .isBetween(let slot, let lower, let upper):
      switch object.committedOrChanged(slot) {
      case .int(let value): return Double(value) >= lower && Double(value) <= upper
      case .double(let value): return value.isNaN || value >= lower && value <= upper
      default: return true
      }
    case .hasPrefix(let slot, let text):
      if case .string(let value) = object.committedOrChanged(slot) { return StringBytes.hasPrefix(value, text) }
      return true
    case .all(let parts): return parts.allSatisfy { $0.mayHold(for: object) }
    case .some(let parts): return parts.contains { $0.mayHold(for: object) }
    }
  }
}

extension Operand {
  /// The number by which a constant bounds numbers and dates; nil for other values and for NaN.
  fileprivate var bound: Double? {
    let value: Double
    switch self {
    case .number(let number): value = number.double
    case .date(let seconds): value = seconds
    default: return nil
    }
    return value.isNaN ? nil : value
  }
}

extension PropertySlot {
  /// Whether equal values of the attribute have equal hashes. A URL's text may be none, which makes the URL nil.
  fileprivate var hasHashes: Bool { kind != .uri }
}

extension NSManagedObject {
  /// The hash of an attribute's value. Values that are equal to the evaluator have the same hash. The object must not be a
  /// fault.
  final func valueHash(_ slot: PropertySlot) -> Int {
    let value = committedOrChanged(slot)
    return switch value {
    case .unset, .null: Operand.null.hashValue
    case .int(let number):
      Operand.number(.integer(slot.kind == .bool ? number != 0 ? 1 : 0 : number)).hashValue
    case .double(let number) where slot.kind == .date: Operand.date(number).hashValue
    case .double(let number) where slot.kind == .double: Operand.number(.real(number)).hashValue
    case .string(let text): Operand.string(text).hashValue
    case .uuid(let uuid): Operand.uuid(uuid).hashValue
    default: Operand(value.boxed(for: slot)).hashValue
    }
  }
}
