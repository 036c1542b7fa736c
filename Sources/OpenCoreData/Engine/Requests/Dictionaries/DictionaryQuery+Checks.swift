import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

// Checks which properties a grouped request may fetch: each has to be the same for all rows of a group, or an aggregate
// of them.
extension DictionaryQuery {
  /// - Throws: 134060 for a value in which the rows of a group may differ, and for an unknown variable in HAVING.
  package func check(_ layout: EntityLayout) throws {
    if !groups.isEmpty || isOfAllRows {
      for column in columns {
        if let part = ungrouped(column.expression) { throw notGrouped(part, layout) }
      }
    }
    guard let having else { return }
    for expression in having.operands {
      if let part = ungrouped(expression) { throw notGrouped(part, layout) }
      if let name = expression.freeVariables.first(where: { column(named: $0) == nil }) {
        throw Self.error("Can't get value for '\(name)' in havingPredicate: nothing of that name is fetched")
      }
    }
  }

  private func notGrouped(_ part: NSExpression, _ layout: EntityLayout) -> NSError {
    let what = part.plainKeyPath ?? "\(part)"
    guard !groups.isEmpty else {
      return Self.error(
        "Invalid fetch request: \(what) has a value for each row, and cannot be fetched beside an aggregate without "
          + "propertiesToGroupBy (entity \(layout.name))")
    }
    return Self.error(
      "SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP BY or aggregate "
        + "functions (\(what) isn't in the GROUP BY; entity \(layout.name))")
  }

  /// The first part of an expression whose value may differ between the rows of a group.
  private func ungrouped(_ expression: NSExpression) -> NSExpression? {
    // An expression that nests deeper than the stack allows is left as it is: it has no constant value.
    guard StackRoom.isLeft else { return expression }
    if groups.contains(where: { $0.isSame(as: expression) || $0.isOfObjectItself }) || expression.isAggregate {
      return nil
    }
    // The object itself may be a column of a group: the column has any one of the group's objects (D-FET-15).
    if !groups.isEmpty, expression.isOfObjectItself { return nil }
    switch expression.node {
    case .constant, .variable: return nil
    case .function(_, nil, let arguments): return firstUngrouped(arguments)
    case .aggregate(let parts): return firstUngrouped(parts)
    case .conditional(let predicate, let first, let second):
      return firstUngrouped(predicate.operands + [first, second])
    default: return expression
    }
  }

  private func firstUngrouped(_ expressions: [NSExpression]) -> NSExpression? {
    for expression in expressions {
      if let part = ungrouped(expression) { return part }
    }
    return nil
  }
}

extension NSPredicate {
  /// The operands of the predicate's comparisons.
  fileprivate var operands: [NSExpression] {
    guard StackRoom.isLeft else { return [] }
    return switch node {
    case .comparison(let comparison): [comparison.leftExpression, comparison.rightExpression]
    case .compound(_, let parts): parts.flatMap(\.operands)
    default: []
    }
  }
}

extension NSExpression {
  /// The key path, if the expression is just a key path from the object itself.
  package var plainKeyPath: String? {
    guard case .keyPath(let path, let operand) = node else { return nil }
    guard let operand else { return path }
    if case .evaluatedObject = operand.node { return path }
    return nil
  }

  /// Whether the expression is a function of the values of many rows. A function of a list in braces is one of a single row.
  package var isAggregate: Bool {
    guard case .function(let name, nil, let arguments) = node, ExpressionFunction(rawValue: name)?.isAggregate == true,
      arguments.count == 1
    else { return false }
    switch arguments[0].node {
    case .aggregate: return false
    case .constant(let value): return !isCollection(value)
    case .unionSet, .intersectSet, .minusSet, .subquery: return false
    default: return true
    }
  }

  package var containsAggregate: Bool {
    if isAggregate { return true }
    guard StackRoom.isLeft else { return false }
    return switch node {
    case .function(_, _, let arguments): arguments.contains { $0.containsAggregate }
    case .aggregate(let parts): parts.contains { $0.containsAggregate }
    case .conditional(let predicate, let first, let second):
      (predicate.operands + [first, second]).contains { $0.containsAggregate }
    default: false
    }
  }

  fileprivate var isOfObjectItself: Bool {
    if case .evaluatedObject = node { return true }
    return plainKeyPath == "objectID" || plainKeyPath == "self"
  }

  fileprivate func isSame(as other: NSExpression) -> Bool {
    if let path = plainKeyPath { return path == other.plainKeyPath }
    return node == other.node
  }

  /// The names of the expression's variables, without those of subqueries.
  fileprivate var freeVariables: [String] {
    guard StackRoom.isLeft else { return [] }
    return switch node {
    case .variable(let name): [name]
    case .keyPath(_, let operand): operand?.freeVariables ?? []
    case .function(_, _, let arguments): arguments.flatMap(\.freeVariables)
    case .aggregate(let parts): parts.flatMap(\.freeVariables)
    case .conditional(let predicate, let first, let second):
      (predicate.operands + [first, second]).flatMap(\.freeVariables)
    default: []
    }
  }
}
