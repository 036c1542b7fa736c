import Foundation
import OpenCocoaFoundation
import Synchronization

/// The key in an attribute's `userInfo` that marks the attribute's values as secret, if its value is YES, true or 1.
///
/// Secret values are left out of every line that the framework logs, of recordings, of the texts of errors, and of the
/// descriptions of objects. A statement that names a column of such an attribute, except to read it, is logged without any of
/// its values; so is a predicate that names the attribute. Values that an error has under a key of their own, such as
/// `NSValidationValueErrorKey`, are for the program and stay as they are. There are two exceptions. A statement of a migration
/// may contain a default value, which everybody knows who has the model. And if a program itself evaluates a predicate
/// (`evaluate(with:)`, `evaluateChecked(with:)`) that does with a value something that the value's type does not allow, such
/// as BEGINSWITH with a number, the program is told the value. Not in Apple's framework.
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
  /// `isSecret` of an attribute; false for any other property.
  package final var hasSecretValues: Bool { (self as? NSAttributeDescription)?.isSecret ?? false }
}

/// The names of secret attributes and of their columns in statements and predicates, of all models in use.
///
/// A statement does not tell which value belongs to which column or model, so a name that is secret once is secret everywhere.
package enum SecretAttributes {
  private struct Names {
    var columns: Set<String> = []
    var attributes: Set<String> = []
    var isUsed: Bool { !attributes.isEmpty }
  }

  private static let names = Mutex(Names())

  /// The text in place of a secret attribute's value, and of all values of a statement that involves such an attribute.
  package static let redacted = "<secret>"

  /// Adds an attribute, and the columns that keep its values.
  package static func add(_ attribute: String, columns: [String]) {
    names.withLock {
      $0.attributes.insert(attribute)
      $0.columns.formUnion(columns.map { $0.uppercased() })
      // The columns in which history keeps values of deleted objects.
      $0.columns.formUnion((0..<10).map { "ZTOMBSTONE\($0)" })
    }
  }

  /// Returns whether the bound values of a statement may be secret: whether it writes or compares a secret attribute's column.
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
    // Names in quotation marks may contain other characters.
    return text.contains("\"") && columns.contains { text.contains("\"\($0)\"") }
  }

  /// Returns whether a predicate names a secret attribute.
  package static func areNamed(in format: String) -> Bool {
    let attributes = names.withLock { $0.attributes }
    if attributes.isEmpty { return false }
    return format.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { attributes.contains(String($0)) }
  }
}
