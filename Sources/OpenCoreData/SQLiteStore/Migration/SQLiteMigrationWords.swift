import Foundation

/// The parts of a migration's SQL that are special to SQLite.
struct SQLiteMigrationWords: SQLMigrationWords {
  let fallback = "IFNULL"

  func converted(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String? {
    NumberConversion(from, to).expression(column)
  }

  func misfits(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String? {
    NumberConversion(from, to).misfits(column)
  }

  func marked(_ column: String, isMarked: Bool) -> String? {
    isMarked ? "CAST(X'01' || \(column) AS BLOB)" : "\(SQLiteDialect.name(of: .data))(\(column))"
  }

  func literal(_ value: StoredValue, _ attribute: SQLAttribute) -> String? {
    switch value {
    case .int(let value): SQLValue.integer(value).literal
    case .double(let value): SQLValue.real(value).literal
    case .string(let value): SQLValue.text(value).literal
    case .uuid(let value): SQLValue(value).literal
    case .decimal(let value):
      (value.isNaN
        ? .notANumber : value.exactInteger.map(SQLValue.integer) ?? .real(Double("\(value)") ?? .nan)).literal
    case .data(let value): SQLValue.blob(attribute.attribute.isKeptWithMark ? Data([1]) + value : value).literal
    case .transformed, .unset, .null, .other, .object: nil
    }
  }

  func list(_ text: String, by separator: String) -> String { "group_concat(\(text), '\(separator)')" }
}
