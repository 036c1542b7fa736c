import Foundation
import OpenCocoaFoundation

/// A value as SQLite stores and compares it.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// Compares values as SQLite does: text by its bytes, while Swift takes canonically equivalent characters for equal.
  package static func == (left: SQLValue, right: SQLValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): StringBytes.equal(left, right)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }
}

/// A managed object or its ID; a predicate may contain either.
package protocol SQLObjectReference {
  /// The key of the object's row and its entity; nil if there is no such object. No row has a temporary key.
  var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? { get }
}
