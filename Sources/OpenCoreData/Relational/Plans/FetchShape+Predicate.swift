import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

/// Takes a fetch apart into its shape and the constants that are no part of the shape.
struct ShapeReading {
  private let model: SQLModel
  private(set) var parts: [FetchShape.Part] = []
  /// The variables' values, in the order in which they stand in the predicate.
  private(set) var constants: [ShapeConstant] = []

  /// In bytes.
  private static let longestFixedText = 256

  private init(_ model: SQLModel) {
    self.model = model
    parts.reserveCapacity(12)
  }

  /// Returns the shape of a fetch and the values of its variables.
  ///
  /// Nil if the fetch has parts whose statement may depend on values in other ways than by its variables, or if it has
  /// no variable.
  static func read(
    _ target: FetchTarget, _ result: FetchPlanResult, _ model: SQLModel
  ) -> (shape: FetchShape, constants: [ShapeConstant])? {
    guard let predicate = target.predicate else { return nil }
    var reading = ShapeReading(model)
    guard reading.read(predicate), !reading.constants.isEmpty, reading.read(target.sortDescriptors) else { return nil }
    return (FetchShape(target, result, parts: reading.parts), reading.constants)
  }

  private mutating func read(_ predicate: NSPredicate) -> Bool {
    guard StackRoom.isLeft else { return false }
    switch predicate.node {
    case .boolean(let value):
      parts.append(.boolean(value))
      return true
    case .compound(let type, let subpredicates):
      // A longer OR of one column becomes a list, whose text depends on the values.
      if type == .or, subpredicates.count > 2 { return false }
      parts.append(.compound(type.rawValue, count: subpredicates.count))
      return subpredicates.allSatisfy { read($0) }
    case .comparison(let comparison): return read(comparison)
    case .block, .custom: return false
    }
  }

  private mutating func read(_ comparison: NSComparisonPredicate) -> Bool {
    parts.append(
      .comparison(
        comparison.predicateOperatorType.rawValue, comparison.comparisonPredicateModifier.rawValue,
        comparison.options.rawValue))
    let (left, right) = (comparison.leftExpression.node, comparison.rightExpression.node)
    switch (left, right) {
    case (.constant, .constant): return false
    // A list is no value of a variable; a look at it would take as long as it is.
    case (_, .constant) where comparison.takesList: return false
    default: return read(left, isFixed: !comparison.hasPlainValue) && read(right, isFixed: !comparison.hasPlainValue)
    }
  }

  private mutating func read(_ expression: ExpressionNode, isFixed: Bool) -> Bool {
    switch expression {
    case .evaluatedObject: parts.append(.evaluatedObject)
    case .keyPath(let path, operand: nil): parts.append(.keyPath(.text(path)))
    case .constant(let value): return read(constant: value, isFixed: isFixed)
    default: return false
    }
    return true
  }

  private mutating func read(constant: Any?, isFixed: Bool) -> Bool {
    guard let constant, !isNull(constant) else {
      parts.append(.null)
      return true
    }
    guard let constant = ShapeConstant(constant, model) else { return false }
    if isFixed || constant.isSpecial {
      // The cache would keep a long text as long as the shape.
      if case .text(let text) = constant.value, text.utf8.count > Self.longestFixedText { return false }
      parts.append(.constant(constant))
    } else {
      parts.append(.variable(constant.kind))
      constants.append(constant)
    }
    return true
  }

  private mutating func read(_ descriptors: [NSSortDescriptor]) -> Bool {
    for descriptor in descriptors {
      // What the lowering asks of a descriptor, and nothing else.
      guard !descriptor.usesComparator, let key = descriptor.key, let selector = descriptor.selector
      else { return false }
      parts.append(.order(.text(key), isAscending: descriptor.ascending, selector.description))
    }
    return true
  }
}

extension NSComparisonPredicate {
  /// Whether the constant on the right is a list in most predicates.
  fileprivate var takesList: Bool { predicateOperatorType == .in || predicateOperatorType == .between }

  /// Whether the comparison is one of two values as they are, so that its constant becomes the value of a variable.
  var hasPlainValue: Bool {
    guard options.isEmpty else { return false }
    switch predicateOperatorType {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: return true
    default: return false
    }
  }
}
