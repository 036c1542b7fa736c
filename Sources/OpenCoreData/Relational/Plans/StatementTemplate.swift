import Foundation
import OpenCocoaFoundation

/// Where the values of a statement's variables come from, for all fetches of one shape.
struct StatementTemplate: Sendable {
  private enum Source: Sendable {
    case fixed(SQLValue)
    /// The constant with this number.
    case constant(Int)
  }

  private let sources: [Source]

  /// Learns the sources from the statements of two fetches of one shape: one that a program has made, and its sample,
  /// whose constants occur nowhere else.
  ///
  /// Nil if the statements do not differ in the values of variables alone, if a constant is not the value of any
  /// variable, or if the constants of the program's fetch do not lead to its statement.
  init?(_ statement: SQLStatement, _ constants: [ShapeConstant], sample: SQLStatement, _ marks: [ShapeConstant]) {
    guard statement.text == sample.text, statement.types == sample.types, statement.resolutions.isEmpty,
      sample.resolutions.isEmpty, statement.bindings.count == sample.bindings.count
    else { return nil }
    var unused = Set(marks.indices)
    sources = sample.bindings.map { value in
      guard let number = marks.firstIndex(where: { $0.value == value }) else { return .fixed(value) }
      unused.remove(number)
      return .constant(number)
    }
    guard unused.isEmpty, values(for: constants) == statement.bindings else { return nil }
  }

  /// Returns the values of the statement's variables for a fetch with these constants.
  func values(for constants: [ShapeConstant]) -> [SQLValue] {
    sources.map { source in
      switch source {
      case .fixed(let value): value
      case .constant(let number): constants[number].value
      }
    }
  }
}
