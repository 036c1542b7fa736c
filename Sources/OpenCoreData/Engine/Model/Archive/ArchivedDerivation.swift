import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The expression of a derived attribute in its archived form.
///
/// Handles the expressions that Apple's framework allows: a key path, or a function of key paths such as
/// `count:(pages)`.
enum ArchivedDerivation {
  /// Returns the expression of an archived object; nil for any other kind of expression.
  static func expression(_ object: ArchivedObject?) -> NSExpression? {
    guard let object else { return nil }
    let arguments = object.elements("NSArguments").map { object.archive.object($0.uidValue) }
    switch object.className {
    case "NSKeyPathExpression":
      return arguments.first?.flatMap { $0.string("NSKeyPath") }.map(NSExpression.init(forKeyPath:))
    case "NSFunctionExpression":
      guard let name = object.string("NSSelectorName") else { return nil }
      // Only key paths are taken as arguments: functions could be nested without end in a damaged archive.
      let paths = arguments.compactMap { $0?.className == "NSKeyPathExpression" ? expression($0) : nil }
      // A damaged archive may give a function more or fewer arguments than it takes, which would stop the program.
      guard paths.count == arguments.count,
        ExpressionFunction(named: name, argumentCount: paths.count)?.selector == name
      else { return nil }
      return NSExpression(forFunction: name, arguments: paths)
    default: return nil
    }
  }

  /// Archives a key path, or a function of key paths and such functions; returns nil for other kinds.
  static func add(_ expression: NSExpression, to writer: inout KeyedArchiveWriter) -> PropertyListValue? {
    switch expression.node {
    case .keyPath(let path, operand: nil): return addKeyPath(path, to: &writer)
    case .function(let name, target: nil, let arguments):
      let encoded = arguments.compactMap { add($0, to: &writer) }
      guard encoded.count == arguments.count else { return nil }
      let target = writer.add(
        ["NSConstantValueExpression", "NSExpression", "NSObject"],
        ["NSExpressionType": .integer(0), "NSConstantValueClassName": writer.add(text: "_NSPredicateUtilities")])
      return writer.add(
        ["NSFunctionExpression", "NSExpression", "NSObject"],
        [
          "NSOperand": target, "NSSelectorName": writer.add(text: name), "NSExpressionType": .integer(4),
          "NSArguments": writer.add(array: encoded),
        ])
    default: return nil
    }
  }

  /// Archives a key path of the object itself.
  static func addKeyPath(_ path: String, to writer: inout KeyedArchiveWriter) -> PropertyListValue {
    let specifier = writer.add(
      ["NSKeyPathSpecifierExpression", "NSExpression", "NSObject"],
      ["NSExpressionType": .integer(10), "NSKeyPath": writer.add(text: path)])
    return writer.add(
      ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"],
      [
        "NSOperand": addSelf(to: &writer),
        "NSSelectorName": writer.add(text: path.contains(".") ? "valueForKeyPath:" : "valueForKey:"),
        "NSExpressionType": .integer(3), "NSArguments": writer.add(array: [specifier], isMutable: true),
      ])
  }

  /// Archives the expression for the object itself (`SELF`).
  static func addSelf(to writer: inout KeyedArchiveWriter) -> PropertyListValue {
    writer.add(["NSSelfExpression", "NSExpression", "NSObject"], ["NSExpressionType": .integer(1)])
  }
}
