import Foundation

/// A key path as the argument of an archived key path expression.
final class KeyPathSpecifier: NSExpression, @unchecked Sendable {  // Nothing changes after the initialiser.
  override func encode(with coder: NSCoder) {
    coder.encode(10, forKey: "NSExpressionType")
    coder.encode(keyPath as NSString, forKey: "NSKeyPath")
  }

  override var classForKeyedArchiver: AnyClass? {
    ArchivedClasses.named("NSKeyPathSpecifierExpression") ?? KeyPathSpecifier.self
  }
}

extension NSExpression {
  /// The name of Apple's class of expressions of this kind.
  var archivedClassName: String {
    switch node {
    case .constant(let value): value is IndexSymbol ? "NSSymbolicExpression" : "NSConstantValueExpression"
    case .evaluatedObject: "NSSelfExpression"
    case .variable: "NSVariableExpression"
    case .keyPath: "NSKeyPathExpression"
    case .function: "NSFunctionExpression"
    case .unionSet, .intersectSet, .minusSet: "NSSetExpression"
    case .subquery: "NSSubqueryExpression"
    case .aggregate: "NSAggregateExpression"
    case .anyKey: "NSAnyKeyExpression"
    case .block: "NSBlockExpression"
    case .conditional: "NSTernaryExpression"
    case .fetch: "NSFetchRequestExpression"
    }
  }

  func encodeNode(with coder: NSCoder) {
    var type = Int(expressionType.rawValue)
    switch node {
    case .constant(let symbol as IndexSymbol):
      type = 11
      coder.encode(symbol.rawValue as NSString, forKey: "NSToken")
    case .constant(let value): ArchivedConstant.encode(value, with: coder)
    case .evaluatedObject, .anyKey: break
    case .variable(let name): coder.encode(name as NSString, forKey: "NSVariable")
    case .keyPath(let path, let operand):
      // A key path with an explicit operand has the type of a function in Apple's archives.
      if operand != nil { type = 4 }
      let selector = operand == nil && !path.contains(".") ? "valueForKey:" : "valueForKeyPath:"
      encode(operand ?? NSExpression.expressionForEvaluatedObject(), "NSOperand", coder)
      coder.encode(selector as NSString, forKey: "NSSelectorName")
      coder.encode(ArchivedList([KeyPathSpecifier(forKeyPath: path)], isMutable: true), forKey: "NSArguments")
    case .function(let name, let target, let arguments):
      encode(target ?? NSExpression(node: .constant(ArchivedConstant.ClassName.functions)), "NSOperand", coder)
      coder.encode(name as NSString, forKey: "NSSelectorName")
      encode(arguments, "NSArguments", coder)
    case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
      encode(left, "NSLeftExpression", coder)
      encode(right, "NSRightExpression", coder)
    case .subquery(let collection, let variable, let predicate):
      encode(collection, "NSCollection", coder)
      encode(NSExpression(forVariable: variable), "NSVariable", coder)
      coder.encode(predicate.archivedPart, forKey: "NSSubpredicate")
    case .aggregate(let expressions): encode(expressions, "NSCollection", coder)
    case .block: raise(.invalidArgument, "Block-based expressions cannot be archived: \(self)")
    case .conditional(let predicate, let first, let second):
      coder.encode(predicate.archivedPart, forKey: "NSPredicate")
      encode(first, "NSTrueExpression", coder)
      encode(second, "NSFalseExpression", coder)
    case .fetch(let request, let context, let countOnly):
      encode(request, "NSFRExpression", coder)
      encode(context, "NSMOCExpression", coder)
      coder.encode(countOnly, forKey: "NSCountOnlyFlag")
    }
    coder.encode(type, forKey: "NSExpressionType")
  }

  private func encode(_ expression: NSExpression, _ key: String, _ coder: NSCoder) {
    coder.encode(ArchivedPart(expression), forKey: key)
  }

  private func encode(_ expressions: [NSExpression], _ key: String, _ coder: NSCoder) {
    coder.encode(ArchivedList(expressions.map { ArchivedPart($0) }), forKey: key)
  }

  /// Returns the expression itself; throws an `ArchiveProblem` if it is a key path specifier or a class name, which have no
  /// value and occur only inside of another expression.
  func requireValue() throws -> NSExpression {
    if self is KeyPathSpecifier { throw ArchiveProblem("A key path stands where a value is expected.") }
    if case .constant(let name as ArchivedConstant.ClassName) = node {
      throw ArchiveProblem("The class \(name.name) stands where a value is expected.")
    }
    return self
  }
}
