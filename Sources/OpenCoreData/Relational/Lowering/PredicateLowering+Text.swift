import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate

extension PredicateLowering {
  private enum Text {
    case null
    case constant(String)
    case scalar(SQLExpression)
  }

  /// Returns the condition of CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES on strings. It is false if a string is
  /// missing.
  package func textCondition(_ left: SQLOperand, _ right: SQLOperand, _ test: SQLTest) throws -> SQLExpression {
    guard let kind = SQLStringTest(test.type) else { throw SQLLoweringError.make("Unsupported operator \(test.type)") }
    let string = try text(left)
    switch (string, try text(right)) {
    case (.null, _), (_, .null): return .bool(false)
    case (.scalar(let string), .constant(let pattern)):
      if case .scalar(let scalar) = left { require(scalar, test) }
      return try condition(kind, string, pattern, test.options)
    case (.scalar(let string), .scalar(let pattern)):
      return .stringTest(kind, options: test.options, string, pattern)
    case (.constant(let string), .scalar(let pattern)):
      if case .scalar(let scalar) = right { require(scalar, test) }
      return .stringTest(kind, options: test.options, .value(.text(string)), pattern)
    case (.constant(let string), .constant(let pattern)):
      return .stringTest(kind, options: test.options, .value(.text(string)), .value(.text(pattern)))
    }
  }

  private func text(_ operand: SQLOperand) throws -> Text {
    switch operand {
    case .constant(let value):
      let operand = Operand(value)
      if operand.isNull { return .null }
      guard let text = operand.text else { throw Self.noString(operand) }
      return .constant(text)
    case .scalar(let scalar):
      if scalar.kind.isText { return .scalar(scalar.expression) }
      guard scalar.kind == .number || scalar.kind == .decimal else { throw Self.noString(scalar.kind) }
      return .scalar(.function(.text, [scalar.expression]))
    case .collection, .parts: throw SQLLoweringError.toMany("a string operation")
    case .list: throw Self.noString("a collection")
    }
  }

  private static func noString(_ value: Any) -> any Error {
    SQLLoweringError.make("Can't do a substring operation with something that isn't a string (\(value))")
  }

  /// Returns a test against a known pattern, by SQL's own operators if the options need no more.
  private func condition(
    _ test: SQLStringTest, _ string: SQLExpression, _ pattern: String, _ options: SQLStringOptions
  ) throws -> SQLExpression {
    if test == .matches {
      do {
        _ = try RegularExpressions.compiled(pattern, ignoresCase: false)
      } catch {
        throw SQLLoweringError.make("Can't do regex matching, reason: Can't open pattern (pattern \(pattern))")
      }
      return .stringTest(test, options: options, string, .value(.text(pattern)))
    }
    let needed = options.intersection([.caseInsensitive, .diacriticInsensitive, .widthInsensitive])
    guard needed.isEmpty else {
      let folded = StringFolding.fold(pattern, needed.comparisonOptions)
      return .stringTest(test, options: needed.union(.folded), string, .value(.text(folded)))
    }
    if test == .like { return SQLPattern(pattern).condition(on: string) }
    return .textTest(test, string, pattern)
  }
}

extension SQLStringTest {
  fileprivate init?(_ type: NSComparisonPredicate.Operator) {
    switch type {
    case .contains, .in: self = .contains
    case .beginsWith: self = .beginsWith
    case .endsWith: self = .endsWith
    case .like: self = .like
    case .matches: self = .matches
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between,
      .customSelector:
      return nil
    }
  }
}

extension SQLExpression {
  /// Returns a test of the bytes of a string. No string contains, begins with or ends with the empty string.
  package static func textTest(_ test: SQLStringTest, _ string: SQLExpression, _ pattern: String) -> SQLExpression {
    if pattern.isEmpty, test != .equals { return .bool(false) }
    let value = SQLExpression.value(.text(pattern))
    switch test {
    case .equals, .like, .matches: return .compare(.equal, string, value)
    case .contains: return .contains(string, value)
    case .endsWith: return .endsWith(string, pattern)
    case .beginsWith:
      // An index can find a range: from the prefix up to the smallest string that is greater than all strings with the
      // prefix.
      let start = SQLExpression.compare(.greaterOrEqual, string, value)
      guard let end = pattern.endOfPrefixRange else { return start }
      return .all([start, .compare(.less, string, .value(.text(end)))])
    }
  }
}

extension String {
  /// The smallest string that is greater than all strings with this prefix, if there is one.
  fileprivate var endOfPrefixRange: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        scalars.append(scalar)
        var result = ""
        result.unicodeScalars.append(contentsOf: scalars)
        return result
      }
    }
    return nil
  }
}
