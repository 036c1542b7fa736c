import Foundation
import OpenCocoaFoundation

/// A variable of a statement whose value depends on the contents of columns. When the store runs the statement, it
/// reads the columns' values, and the framework computes the variable from them.
///
/// The results are thus those of the evaluator, even if a database folds, orders or matches strings in its own way.
package struct SQLResolution: Sendable {
  package enum Answer: Sendable {
    /// The values for which the answer to a question is yes.
    case those(SQLStringQuestion)
    /// All values in the order of their bytes.
    case all
    /// The results of functions for all values, in the order of the values.
    case results([SQLStringFunction])
  }

  /// The place of the variable among the statement's bindings.
  package let binding: Int
  /// The columns that the values come from.
  package let columns: [SQLStringColumn]
  /// Further values, which the statement itself contains.
  package let constants: [String]
  package let answer: Answer

  /// Computes the value of the variable.
  /// - Parameter values: the values of each column.
  /// - Throws: 134060 for a pattern of MATCHES that is invalid or takes too many steps; the error of a cancelled
  ///   evaluation.
  package func value(of values: [[String]]) throws -> SQLValue {
    var all = values.flatMap { $0 } + constants
    switch answer {
    case .those(let question):
      do {
        return Self.array(try SQLLoweringError.evaluating { try question.those(of: all) })
      } catch let error as InvalidPattern {
        throw SQLLoweringError.make(error.description)
      }
    case .all, .results: break
    }
    // The statement looks up values by the order of their bytes, which is not Swift's own order of strings.
    all.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    if case .results(let functions) = answer { return Self.array(all.map { functions($0) }) }
    return Self.array(all)
  }

  /// Returns whether the variable always has the same value as another one. Variables for questions are never the same.
  package func isSameMap(as other: SQLResolution) -> Bool {
    guard columns == other.columns, constants.isEmpty, other.constants.isEmpty else { return false }
    switch (answer, other.answer) {
    case (.all, .all): return true
    case (.results(let functions), .results(let others)): return functions == others
    default: return false
    }
  }

  private static func array(_ texts: [String]) -> SQLValue {
    var array = PostgreSQLArray(element: 25, count: texts.count)
    for text in texts { array.append(Data(text.utf8)) }
    return .blob(array.bytes)
  }
}

/// A column whose values the store reads.
package struct SQLStringColumn: Sendable, Hashable {
  /// The type of the column.
  package enum Form: Sendable { case text, number, boolean }

  package let table: String
  package let column: String
  package var form = Form.text
  /// Whether only values with characters beyond ASCII are read.
  package var isBeyondASCII = false

  /// Returns the query for the values as text.
  package func query(_ dialect: PostgreSQLDialect, limit: Int) -> String {
    let column = dialect.quoted(column)
    let value =
      switch form {
      case .text: column
      case .number: "\(column)::text"
      case .boolean: "\(column)::integer::text"
      }
    let condition = isBeyondASCII ? "octet_length(\(value)) <> char_length(\(value))" : "\(column) IS NOT NULL"
    return "SELECT DISTINCT \(value) FROM \(dialect.quoted(table)) WHERE \(condition) LIMIT \(limit)"
  }
}
