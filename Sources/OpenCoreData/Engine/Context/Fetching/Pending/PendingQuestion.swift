import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

/// What the predicate and the order of a fetch want to know of an object, if plain stored attributes of the object alone
/// decide both.
///
/// An object without changes of these attributes is where its row is, so that a fetch need not ask the object. Of all other
/// objects, `condition` rules out most without evaluating the predicate.
struct PendingQuestion {
  /// The attributes that the predicate and the sort descriptors name.
  private(set) var keys: [String] = []
  /// The places of the attributes in objects of the fetch's entity and its subentities.
  private(set) var slots = SlotMask()
  /// A condition that each object for which the predicate holds meets. Objects that meet it need not match.
  private(set) var condition = PendingCondition.any

  /// Nil if something else may decide whether or where an object is in the result: relationships, key paths, functions,
  /// computed, transient or derived properties, blocks, the object itself.
  init?(_ target: FetchTarget) {
    for descriptor in target.sortDescriptors {
      guard let key = descriptor.key, note(key, of: target.layout) != nil else { return nil }
    }
    guard let predicate = target.predicate else { return }
    guard let condition = condition(of: predicate, target.layout) else { return nil }
    self.condition = condition
  }

  /// Whether the stored attributes decide for objects of that layout, too: its class may have accessors of its own.
  func isDecided(for layout: EntityLayout) -> Bool {
    if layout.overridesValueForKey { return false }
    return layout.listed.accessors.isEmpty || keys.allSatisfy { layout.listed.accessors[$0] == nil }
  }

  /// Notes that an attribute is wanted; nil for a key that is not a plain stored attribute's.
  private mutating func note(_ key: String, of layout: EntityLayout) -> PropertySlot? {
    guard let slot = layout.slot(named: key), slot.isPlainAttribute else { return nil }
    keys.append(key)
    slots.insert(slot.index)
    return slot
  }

  private mutating func condition(of predicate: NSPredicate, _ layout: EntityLayout) -> PendingCondition? {
    switch predicate.node {
    case .boolean: return .any
    case .comparison(let comparison):
      // A subclass may have a meaning of its own.
      guard type(of: comparison) == NSComparisonPredicate.self else { return nil }
      return condition(of: comparison, layout)
    case .compound(let kind, let parts):
      let type = Swift.type(of: predicate)
      guard type == NSCompoundPredicate.self || type == Foundation.NSCompoundPredicate.self, parts.count <= 64 else {
        return nil
      }
      var conditions: [PendingCondition] = []
      for part in parts {
        guard let condition = condition(of: part, layout) else { return nil }
        conditions.append(condition)
      }
      switch kind {
      case .and: return .all(conditions.filter { !$0.isAny })
      case .or: return conditions.contains(where: \.isAny) ? .any : .some(conditions)
      default: return .any
      }
    case .block, .custom: return nil
    }
  }

  private mutating func condition(of comparison: NSComparisonPredicate, _ layout: EntityLayout) -> PendingCondition? {
    guard comparison.comparisonPredicateModifier == .direct, comparison.predicateOperatorType != .customSelector,
      let left = side(comparison.leftExpression, layout), let right = side(comparison.rightExpression, layout)
    else { return nil }
    switch (left, right) {
    case (.attribute(let slot), .constant(let value)):
      return PendingCondition(slot, comparison.predicateOperatorType, value, comparison.options)
    case (.constant(let value), .attribute(let slot)) where comparison.predicateOperatorType == .equalTo:
      return PendingCondition(slot, .equalTo, value, comparison.options)
    default: return .any
    }
  }

  /// One side of a comparison.
  private enum Side {
    case attribute(PropertySlot)
    case constant(Operand)
  }

  private mutating func side(_ expression: NSExpression, _ layout: EntityLayout) -> Side? {
    guard type(of: expression) == NSExpression.self else { return nil }
    switch expression.node {
    case .keyPath(let key, nil): return note(key, of: layout).map(Side.attribute)
    case .constant(let value): return constant(Operand(value))
    case .aggregate(let elements):
      var values: [Any] = []
      for element in elements {
        guard type(of: element) == NSExpression.self, case .constant(let value) = element.node,
          constant(Operand(value)) != nil
        else { return nil }
        values.append(value ?? NSNull())
      }
      return .constant(.collection(values, isOrdered: true))
    default: return nil
    }
  }

  /// A constant, unless it is an object of a class that may be equal to others in its own way.
  private func constant(_ value: Operand) -> Side? {
    switch value {
    case .object, .other, .dictionary: nil
    default: .constant(value)
    }
  }
}

extension PropertySlot {
  /// Whether the property is an attribute whose value in a row is what an object without a change of it has.
  fileprivate var isPlainAttribute: Bool {
    kind.isPlain && !isTransient && !isElement && !(property is NSDerivedAttributeDescription)
      || kind == .data && !isTransient && !isElement && !allowsExternalFile
  }
}

/// Some of the places of values in an object. Places from 63 on count as one.
struct SlotMask: Equatable {
  private(set) var bits: UInt64 = 0

  @inline(__always)
  mutating func insert(_ index: Int) { bits |= 1 << UInt64(min(index, 63)) }

  @inline(__always)
  func meets(_ other: SlotMask) -> Bool { bits & other.bits != 0 }

  mutating func formUnion(_ other: SlotMask) { bits |= other.bits }

  func subtracting(_ other: SlotMask) -> SlotMask { SlotMask(bits: bits & ~other.bits) }

  /// The places, the smallest first.
  var places: UnfoldSequence<Int, UInt64> {
    sequence(state: bits) { rest in
      if rest == 0 { return nil }
      defer { rest &= rest - 1 }
      return rest.trailingZeroBitCount
    }
  }
}
