import Foundation
import OpenCocoaFoundation

@testable import OpenCoreData

/// Gives a predicate other constants.
struct ChangedConstants {
  let predicates: RandomPredicates

  func change(_ predicate: NSPredicate, _ random: inout SeededGenerator) -> NSPredicate {
    switch predicate.node {
    case .compound(let type, let parts):
      return OpenCocoaFoundation.NSCompoundPredicate(type: type, subpredicates: parts.map { change($0, &random) })
    case .comparison(let comparison):
      return OpenCocoaFoundation.NSComparisonPredicate(
        leftExpression: change(comparison.leftExpression, &random),
        rightExpression: change(comparison.rightExpression, &random),
        modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
        options: comparison.options)
    case .boolean, .block, .custom: return predicate
    }
  }

  private func change(
    _ expression: OpenCocoaFoundation.NSExpression, _ random: inout SeededGenerator
  ) -> OpenCocoaFoundation.NSExpression {
    guard case .constant(let value) = expression.node else { return expression }
    return .init(forConstantValue: other(value, &random))
  }

  /// Another value, mostly of the same kind.
  private func other(_ value: Any?, _ random: inout SeededGenerator) -> Any? {
    if Int.random(in: 0..<12, using: &random) == 0 { return predicates.constant(&random) }
    switch Operand(value) {
    case .string: return predicates.string(&random)
    case .number(.integer): return Int.random(in: -3...6, using: &random)
    case .number(.real): return [0.5, 1, .nan, .infinity, 2.25, -7].randomElement(using: &random)
    case .date: return Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...5, using: &random)))
    case .uuid: return UUID()
    case .object(let object) where object is any TestPerson: return predicates.people.randomElement(using: &random)
    default: return value
    }
  }
}
