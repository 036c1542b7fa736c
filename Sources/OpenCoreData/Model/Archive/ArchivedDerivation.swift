import Foundation

/// The expression of a derived attribute, between its text and its archived form.
///
/// Known are what the original allows: a key path, or a function of key paths such as `count:(pages)`.
enum ArchivedDerivation {
  /// The text of an archived expression; nil if it is of another kind.
  static func text(_ expression: ArchivedObject?) -> String? {
    guard let expression else { return nil }
    let arguments = expression.elements("NSArguments").map { expression.archive.object($0.uidValue) }
    switch expression.className {
    case "NSKeyPathExpression":
      return arguments.first?.flatMap { $0.string("NSKeyPath") }
    case "NSFunctionExpression":
      guard let name = expression.string("NSSelectorName") else { return nil }
      let texts = arguments.compactMap { argument in
        argument?.className == "NSKeyPathExpression" ? text(argument) : nil
      }
      guard texts.count == arguments.count else { return nil }
      return "\(name)(\(texts.joined(separator: ", ")))"
    default: return nil
    }
  }

  /// Archives the expression of a text.
  static func add(_ text: String, to writer: inout KeyedArchiveWriter) -> PropertyListValue {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return addKeyPath(text, to: &writer) }
    let inside = text[text.index(after: open)..<text.index(before: text.endIndex)]
    let arguments = inside.split(separator: ",").map {
      addKeyPath($0.trimmingCharacters(in: .whitespaces), to: &writer)
    }
    let target = writer.add(
      ["NSConstantValueExpression", "NSExpression", "NSObject"],
      ["NSExpressionType": .integer(0), "NSConstantValueClassName": writer.add(text: "_NSPredicateUtilities")])
    return writer.add(
      ["NSFunctionExpression", "NSExpression", "NSObject"],
      [
        "NSOperand": target, "NSSelectorName": writer.add(text: String(text[..<open])),
        "NSExpressionType": .integer(4), "NSArguments": writer.add(array: arguments),
      ])
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

  /// Archives the object itself.
  static func addSelf(to writer: inout KeyedArchiveWriter) -> PropertyListValue {
    writer.add(["NSSelfExpression", "NSExpression", "NSObject"], ["NSExpressionType": .integer(1)])
  }
}
