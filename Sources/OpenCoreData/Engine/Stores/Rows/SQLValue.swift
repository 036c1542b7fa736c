import Foundation
import OpenCocoaFoundation

/// A value as SQLite stores and compares it.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// Whether SQLite takes the values for the same: text by its bytes, where Swift takes equivalent letters for the same.
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

/// A managed object or its ID, as a predicate may name either.
package protocol SQLObjectReference {
  /// The key and the entity of the object that the value stands for; nil for a value that stands for no object. A temporary
  /// key is in no row.
  var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? { get }
}
