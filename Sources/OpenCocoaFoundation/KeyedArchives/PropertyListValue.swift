import Foundation

/// A value of a binary property list. It may be a UID, which occurs in keyed archives and for which Foundation has no public
/// type.
package enum PropertyListValue: Hashable, Sendable {
  case bool(Bool)
  case integer(Int64)
  /// A number without a sign that is greater than `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data(Data)
  case string(String)
  /// A reference to another object of the archive.
  case uid(Int)
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])

  /// The number of a UID.
  package var uidValue: Int? { if case .uid(let value) = self { value } else { nil } }
  /// The text of a string.
  package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The elements of an array.
  package var arrayValue: [PropertyListValue]? { if case .array(let value) = self { value } else { nil } }
  /// The entries of a dictionary.
  package var dictionaryValue: [String: PropertyListValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  /// The bytes of data.
  package var dataValue: Data? { if case .data(let value) = self { value } else { nil } }

  /// The value of an integer, or 1 or 0 for a truth value.
  package var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  /// A truth value; an integer is true unless it is 0.
  package var boolValue: Bool? { integerValue.map { $0 != 0 } }
}

/// An error in the bytes of an archive.
package struct ArchiveProblem: Error {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
