import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The expression of a derived attribute as text, in the notation that version hashes use.
enum DerivationText {
  /// The functions that source models write as an operator at the end of a key path.
  private static let operators = ["count", "sum"]

  /// Returns the text of an expression: of a key path, or of a function; any other expression has its own description.
  static func text(_ expression: NSExpression) -> String {
    switch expression.node {
    case .keyPath(let path, operand: nil): return path
    case .function(let name, target: nil, let arguments):
      return "\(name)(\(arguments.map(text).joined(separator: ", ")))"
    default: return expression.description
    }
  }

  /// Returns the expression that a text of a source model means; `pages.@count` means `count:(pages)`. Nil if the text
  /// is no expression.
  static func expression(_ source: String) -> NSExpression? {
    let source = source.trimmingCharacters(in: .whitespaces)
    for name in operators where source.hasSuffix(".@" + name) {
      let path = source.dropLast(name.count + 2)
      return isKeyPath(path) ? NSExpression(forFunction: name + ":", arguments: [keyPath(path)]) : nil
    }
    if isKeyPath(source[...]) { return keyPath(source[...]) }
    if let open = source.firstIndex(of: "("), source.hasSuffix(")") {
      let name = source[..<open].trimmingCharacters(in: .whitespaces)
      let arguments = source[source.index(after: open)..<source.index(before: source.endIndex)]
        .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      // A function with more or fewer arguments than it takes would stop the program.
      if isFunction(name), arguments.allSatisfy({ isKeyPath($0[...]) }),
        ExpressionFunction(named: name, argumentCount: arguments.count)?.selector == name
      {
        return NSExpression(forFunction: name, arguments: arguments.map { keyPath($0[...]) })
      }
    }
    return try? NSExpression(parsing: source)
  }

  private static func keyPath(_ path: Substring) -> NSExpression { NSExpression(forKeyPath: String(path)) }

  private static func isFunction(_ name: String) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isLetter || $0 == ":" }
  }

  /// Whether a text consists of names joined by dots, without operators such as `@max`.
  private static func isKeyPath(_ text: Substring) -> Bool {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    return names.allSatisfy { name in
      name.first.map { $0.isLetter || $0 == "_" } == true && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
  }
}
