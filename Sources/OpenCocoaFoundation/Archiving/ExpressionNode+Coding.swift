import Foundation

extension ExpressionNode {
  /// Decodes the node of an archived expression.
  init(decoding coder: NSCoder) throws {
    let type = coder.decodeInteger(forKey: "NSExpressionType")
    switch type {
    case 0:
      // 0 is also the result for a missing type. A constant must have the type in its archive.
      guard coder.containsValue(forKey: "NSExpressionType") else { throw ArchiveProblem("An expression has no type.") }
      self = .constant(try ArchivedConstant.decode(coder))
    case 1: self = .evaluatedObject
    case 2: self = .variable(try coder.archived(String.self, "NSVariable"))
    case 3, 4: self = try Self.call(coder, isKeyPath: type == 3)
    case 5: self = .unionSet(try Self.left(coder), try Self.right(coder))
    case 6: self = .intersectSet(try Self.left(coder), try Self.right(coder))
    case 7: self = .minusSet(try Self.left(coder), try Self.right(coder))
    case 10: self = .keyPath(try coder.archived(String.self, "NSKeyPath"), operand: nil)
    case 11:
      let name = try coder.archived(String.self, "NSToken")
      guard let symbol = IndexSymbol(rawValue: name) else { throw ArchiveProblem("There is no symbol \(name).") }
      self = .constant(symbol)
    case 13: self = try Self.subquery(coder)
    case 14: self = .aggregate(try coder.archivedExpressions("NSCollection"))
    case 15: self = .anyKey
    case 20:
      self = .conditional(
        try coder.archived(NSPredicate.self, "NSPredicate"), try coder.archivedExpression("NSTrueExpression"),
        try coder.archivedExpression("NSFalseExpression"))
    case 50:
      self = .fetch(
        request: try coder.archivedExpression("NSFRExpression"),
        context: try coder.archivedExpression("NSMOCExpression"),
        countOnly: coder.decodeBool(forKey: "NSCountOnlyFlag"))
    default: throw ArchiveProblem("Archived expressions of type \(type) are not supported.")
    }
  }

  private static func left(_ coder: NSCoder) throws -> NSExpression { try coder.archivedExpression("NSLeftExpression") }

  private static func right(_ coder: NSCoder) throws -> NSExpression {
    try coder.archivedExpression("NSRightExpression")
  }

  private static func subquery(_ coder: NSCoder) throws -> ExpressionNode {
    guard case .variable(let name) = try coder.archivedExpression("NSVariable").node else {
      throw ArchiveProblem("A subquery has no variable.")
    }
    return .subquery(
      collection: try coder.archivedExpression("NSCollection"), variable: name,
      predicate: try coder.archived(NSPredicate.self, "NSSubpredicate"))
  }

  /// Decodes a function, or a key path: a key path is archived as the call of `valueForKey:` or `valueForKeyPath:`.
  private static func call(_ coder: NSCoder, isKeyPath: Bool) throws -> ExpressionNode {
    let selector = try coder.archived(String.self, "NSSelectorName")
    let operand = try coder.archived(NSExpression.self, "NSOperand")
    let arguments = try coder.archived([NSExpression].self, "NSArguments")
    if let specifier = arguments.first as? KeyPathSpecifier {
      guard arguments.count == 1, selector == "valueForKey:" || selector == "valueForKeyPath:" else {
        throw ArchiveProblem("A key path is the argument of \(selector).")
      }
      guard case .keyPath(let path, operand: nil) = specifier.node else {
        throw ArchiveProblem("A key path is of another type of expression.")
      }
      if isKeyPath, case .evaluatedObject = operand.node { return specifier.node }
      return .keyPath(path, operand: try operand.requireValue())
    }
    guard !isKeyPath else { throw ArchiveProblem("A key path expression has no key path.") }
    for argument in arguments { _ = try argument.requireValue() }
    guard case .constant(let name as ArchivedConstant.ClassName) = operand.node else {
      return .function(selector, target: operand, arguments: arguments)
    }
    guard name == .functions, ExpressionFunction(rawValue: selector)?.takes(arguments.count) == true else {
      throw ArchiveProblem("There is no function \(selector) of \(arguments.count) arguments in \(name.name).")
    }
    return .function(selector, target: nil, arguments: arguments)
  }
}
