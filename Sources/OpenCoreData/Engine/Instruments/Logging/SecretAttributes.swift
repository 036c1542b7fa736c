import Foundation
import OpenCocoaFoundation
import Synchronization

/// The key in an attribute's `userInfo` that marks its values as secret, if its value is YES, true or 1.
///
/// Secret values are left out of every line that the framework logs, of recordings, of the texts of its errors, and of the
/// descriptions of objects. A statement that names a column of such an attribute, except for reading it, is logged without
/// any of its values; a predicate that names the attribute is logged without its constants.
///
/// Values that an error has under a key of their own, such as `NSValidationValueErrorKey`, are meant for the program and
/// stay. A default value, which is part of the model, may appear in a statement of a migration. A program that evaluates a
/// predicate by itself (`evaluate(with:)`, `evaluateChecked(with:)`) gets an error with the value if the value's type does
/// not allow the operation, such as BEGINSWITH with a number. Not in Apple's framework.
public let OCDSecretAttributeKey = "OCDSecret"

extension NSAttributeDescription {
  /// Whether the attribute's values are kept out of logs, recordings and errors; see `OCDSecretAttributeKey`.
  public final var isSecret: Bool {
    guard let mark = userInfo?[OCDSecretAttributeKey] else { return false }
    switch mark {
    case let mark as Bool: return mark
    case let mark as NSNumber: return mark.boolValue
    case let mark as String: return (Int(mark) ?? 0) != 0 || ["yes", "true"].contains(mark.lowercased())
    default: return false
    }
  }
}

extension NSPropertyDescription {
  /// `isSecret` of an attribute; false for a property that is not an attribute.
  package final var hasSecretValues: Bool { (self as? NSAttributeDescription)?.isSecret ?? false }
}

/// The names by which statements and predicates have to do with secret attributes, of all models in use.
///
/// A statement does not say which value goes where, so that a name that is a secret attribute's anywhere is one everywhere.
package enum SecretAttributes {
  private struct Names {
    var columns: Set<String> = []
    var attributes: Set<String> = []
    var isUsed: Bool { !attributes.isEmpty }
  }

  private static let names = Mutex(Names())

  /// The text in place of a secret attribute's value, and of all values of a statement that involves such an attribute.
  package static let redacted = "<secret>"

  /// Takes in an attribute, and the columns that keep its values.
  package static func add(_ attribute: String, columns: [String]) {
    names.withLock {
      $0.attributes.insert(attribute)
      $0.columns.formUnion(columns.map { $0.uppercased() })
      // Values of deleted objects that history keeps.
      $0.columns.formUnion((0..<10).map { "ZTOMBSTONE\($0)" })
    }
  }

  /// Whether the bound values of a statement may be a secret attribute's: whether its column is written, or compared.
  package static func areValuesSecret(in sql: String) -> Bool {
    let columns = names.withLock { $0.isUsed ? $0.columns : [] }
    if columns.isEmpty { return false }
    var text = sql.uppercased()[...]
    // A column that is only read stands between SELECT and FROM.
    if text.hasPrefix("SELECT"), let from = text.range(of: " FROM ") { text = text[from.upperBound...] }
    if text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }).contains(where: {
      columns.contains(String($0))
    }) {
      return true
    }
    // Names that are quoted may have other characters.
    return text.contains("\"") && columns.contains { text.contains("\"\($0)\"") }
  }

  /// Whether a predicate names a secret attribute.
  package static func areNamed(in format: String) -> Bool {
    let attributes = names.withLock { $0.attributes }
    if attributes.isEmpty { return false }
    return format.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { attributes.contains(String($0)) }
  }
}
