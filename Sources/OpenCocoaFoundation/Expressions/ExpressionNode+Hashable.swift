import Foundation

extension ExpressionNode: Hashable {
  package static func == (left: ExpressionNode, right: ExpressionNode) -> Bool {
    switch (left, right) {
    case (.constant(let a), .constant(let b)): equalConstants(a, b)
    case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey): true
    case (.variable(let a), .variable(let b)): a == b
    case (.keyPath(let a, let operandA), .keyPath(let b, let operandB)): a == b && operandA == operandB
    case (.function(let a, let targetA, let argumentsA), .function(let b, let targetB, let argumentsB)):
      a == b && targetA == targetB && argumentsA == argumentsB
    case (.unionSet(let a, let b), .unionSet(let c, let d)), (.intersectSet(let a, let b), .intersectSet(let c, let d)),
      (.minusSet(let a, let b), .minusSet(let c, let d)):
      a == c && b == d
    case (.subquery(let a, let variableA, let predicateA), .subquery(let b, let variableB, let predicateB)):
      a == b && variableA == variableB && predicateA == predicateB
    case (.aggregate(let a), .aggregate(let b)): a == b
    // The text of a constant array is parsed as an aggregate, so the two may be equal.
    case (.aggregate(let a), .constant(let b?)), (.constant(let b?), .aggregate(let a)):
      Self.orderedElements(b)?.elementsEqual(a) { $1 == NSExpression(forConstantValue: $0) } ?? false
    case (.fetch(let a, let b, let countA), .fetch(let c, let d, let countB)): a == c && b == d && countA == countB
    case (.conditional(let p, let a, let b), .conditional(let q, let c, let d)): p == q && a == c && b == d
    default: false  // Blocks cannot be compared.
    }
  }

  /// How many nodes of an expression its hash depends on.
  private static let hashedNodes = 64

  package func hash(into hasher: inout Hasher) {
    var left = Self.hashedNodes
    hash(into: &hasher, left: &left)
  }

  /// Hashes the node and what it consists of, until `left` nodes were hashed: neither a deep expression nor one whose parts share
  /// their parts takes more. Equal nodes are hashed alike: an aggregate and the constant array that it equals count as one node
  /// each, whatever is in them.
  private func hash(into hasher: inout Hasher, left: inout Int) {
    left -= 1
    func combine(_ expression: NSExpression) {
      // An expression of a class of its own may be equal to others in a way of its own; it counts for nothing here.
      guard left > 0, type(of: expression) == NSExpression.self else { return }
      expression.node.hash(into: &hasher, left: &left)
    }
    switch self {
    case .constant(let value as any Hashable) where value is IndexSymbol: hasher.combine(AnyHashable(value))
    case .constant(let value):
      if let value, let elements = Self.orderedElements(value) {
        hasher.combine(elements.count)
      } else {
        hasher.combine(Operand(value))
      }
    case .evaluatedObject: hasher.combine(1)
    case .variable(let name): hasher.combine(name)
    case .keyPath(let path, let operand):
      hasher.combine(path)
      if let operand { combine(operand) }
    case .function(let name, _, let arguments):
      hasher.combine(name)
      arguments.forEach(combine)
    case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
      combine(left)
      combine(right)
    case .subquery(let collection, let variable, _):
      combine(collection)
      hasher.combine(variable)
    case .aggregate(let expressions): hasher.combine(expressions.count)
    case .anyKey: hasher.combine(2)
    case .block: hasher.combine(3)
    case .fetch(let request, let context, _):
      combine(request)
      combine(context)
    case .conditional(_, let first, let second):
      combine(first)
      combine(second)
    }
  }

  /// Returns the elements of an ordered collection; nil for other values.
  private static func orderedElements(_ value: Any) -> [Any]? {
    isOrdered(value) ? elements(of: value) : nil
  }

  /// Whether two constants are equal. A string is never equal to a number here, although a predicate can compare the two.
  private static func equalConstants(_ left: Any?, _ right: Any?) -> Bool {
    if left is IndexSymbol || right is IndexSymbol { return left as? IndexSymbol == right as? IndexSymbol }
    let left = Operand(left)
    let right = Operand(right)
    return left.isText == right.isText && left == right
  }
}

extension Operand {
  fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }
}
