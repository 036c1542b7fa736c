import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension PredicateLowering {
  /// Returns the operand for UNION, INTERSECT and MINUS of to-many relationships and known values.
  package func set(_ expression: NSExpression) throws -> SQLOperand {
    let sides =
      switch expression.node {
      case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
        (try operand(left), try operand(right))
      default: throw SQLLoweringError.unsupported("Unsupported set expression", expression)
      }
    let left = try parts(sides.0, of: expression)
    let right = try parts(sides.1, of: expression)
    switch expression.node {
    case .unionSet: return Self.operand(of: left + right)
    // If one side is constant, the select of the other side gets one condition, instead of a condition for each known
    // value.
    case .intersectSet:
      if case .constant = sides.0 { return try filter(right, by: sides.0, isIn: true) }
      return try filter(left, by: sides.1, isIn: true)
    default: return try filter(left, by: sides.1, isIn: false)
    }
  }

  private func parts(_ operand: SQLOperand, of expression: NSExpression) throws -> [SQLPart] {
    switch operand {
    case .collection(let scope, let element): return [.members(scope, element)]
    case .parts(let parts): return parts
    case .constant(let value):
      if let elements = elements(of: value) {
        return Aggregates.distinct(elements).map { .constant($0, .bool(true)) }
      }
    case .scalar, .list: break
    }
    throw SQLLoweringError.unsupported("Unsupported set expression", expression)
  }

  private static func operand(of parts: [SQLPart]) -> SQLOperand {
    if parts.count == 1, case .members(let scope, let element) = parts[0] { return .collection(scope, element) }
    let known = parts.compactMap { if case .constant(let value, .truth(true)) = $0 { value } else { nil } }
    return known.count == parts.count ? .constant(Aggregates.distinct(known)) : .parts(parts)
  }

  /// Keeps the members that another collection contains, or those that it does not contain.
  private func filter(_ parts: [SQLPart], by other: SQLOperand, isIn: Bool) throws -> SQLOperand {
    let kept = try parts.compactMap { part -> SQLPart? in
      switch part {
      case .members(let scope, let element):
        scope.conditions.append(try isElement(.scalar(element.value), of: other, isIn))
        return part
      case .constant(let value, let isThere):
        let condition = SQLExpression.all([isThere, try isElement(.constant(value), of: other, isIn)])
        if case .truth(false) = condition { return nil }
        return .constant(value, condition)
      }
    }
    return Self.operand(of: kept)
  }

  private func isElement(_ value: SQLOperand, of other: SQLOperand, _ isIn: Bool) throws -> SQLExpression {
    let condition = try isMember(value, of: other, .membership)
    return isIn ? condition : condition.negated
  }

  /// Returns the number of different members in all parts. Each part counts the members that no earlier part has.
  package func count(_ parts: [SQLPart], _ expression: NSExpression) throws -> SQLScalar {
    // Constant elements are counted first. An element of another part counts only if it is not among them.
    var before: [SQLPart] = []
    var known: [Any] = []
    var rest: [SQLPart] = []
    for part in parts {
      if case .constant(let value, .truth) = part { known.append(value) } else { rest.append(part) }
    }
    known = Aggregates.distinct(known)
    guard rest.count <= model.dialect.limits.sumTerms else {
      throw SQLLoweringError.unsupported("Unsupported set expression", expression)
    }
    var counts: [SQLExpression] = known.isEmpty ? [] : [.integer(known.count)]
    for part in rest {
      let isNew = { (value: SQLOperand) throws -> SQLExpression in
        try .all([
          isMember(value, of: .constant(known), .membership).negated,
          isMember(value, of: .parts(before), .membership).negated,
        ])
      }
      let count: SQLExpression
      switch part {
      case .members(let scope, let element):
        let value = element.value.expression
        let counted = SQLExpression.function(.count, [.distinct(value)])
        count = .select(scope.select([counted], where: [try isNew(.scalar(element.value))]))
      case .constant(let value, let isThere):
        let condition = SQLExpression.all([isThere, try isNew(.constant(value))])
        count = .choice(condition: condition, then: .integer(1), otherwise: .integer(0))
      }
      counts.append(count)
      before.append(part)
    }
    let first = counts.first ?? .integer(0)
    return SQLScalar(
      expression: counts.dropFirst().reduce(first) { .arithmetic(.plus, $0, $1) }, kind: .number)
  }
}

extension NSExpression {
  /// Whether this is UNION, INTERSECT or MINUS, whose results contain each value once.
  package var isSet: Bool {
    switch node {
    case .unionSet, .intersectSet, .minusSet: true
    default: false
    }
  }
}
