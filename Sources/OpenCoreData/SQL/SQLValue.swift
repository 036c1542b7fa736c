import Foundation

/// A value as SQLite stores and compares it.
enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

/// What a predicate may name in place of a managed object: an object or its identifier.
protocol SQLObjectReference {
  /// The key of the object's row and its entity; nil for what stands for no object. A temporary key is in no row.
  var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? { get }
}
