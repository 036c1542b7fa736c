#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The SQL of PostgreSQL for migrations. PostgreSQL's casts round where the framework truncates, and fail where the
  /// framework yields infinity.
  struct ServerMigrationWords: SQLMigrationWords {
    let fallback = "COALESCE"
    private let dialect = PostgreSQLDialect()

    private static let integers: [NSAttributeType: (name: String, least: String, most: String)] = [
      .integer16AttributeType: ("smallint", "-32768", "32767"),
      .integer32AttributeType: ("integer", "-2147483648", "2147483647"),
      .integer64AttributeType: ("bigint", "-9223372036854775808", "9223372036854775807"),
    ]
    private static let reals: Set<NSAttributeType> = [.doubleAttributeType, .floatAttributeType]
    private static let widths: [NSAttributeType] = [
      .booleanAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
    ]

    private func isNumber(_ type: NSAttributeType) -> Bool {
      Self.widths.contains(type) || Self.reals.contains(type) || type == .decimalAttributeType
    }

    func converted(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String? {
      guard from != to, isNumber(from), isNumber(to) else { return nil }
      let number = from == .booleanAttributeType ? "\(column)::integer" : column
      if to == .booleanAttributeType { return "(\(number) <> 0)" }
      if let integer = Self.integers[to] {
        return Self.widths.contains(from) ? "\(number)::\(integer.name)" : "trunc(\(number))::\(integer.name)"
      }
      switch to {
      case .doubleAttributeType: return "\(number)::double precision"
      case .floatAttributeType: return Self.widths.contains(from) ? "\(number)::real" : float(number)
      // The number is converted by its digits: a direct cast keeps only 15 digits, or 6.
      default: return Self.reals.contains(from) ? "\(number)::text::numeric" : "\(number)::numeric"
      }
    }

    /// Returns a conversion to `real`. A plain cast fails if the value is too great, or too small, for the type.
    private func float(_ number: String) -> String {
      let double = "\(number)::double precision"
      return "CASE WHEN abs(\(double)) >= 3.4028235677973366e38 AND \(double) <> 'NaN' "
        + "THEN (CASE WHEN \(double) > 0 THEN '' ELSE '-' END || 'Infinity')::real "
        + "WHEN abs(\(double)) <= 7.006492321624085e-46 THEN 0::real ELSE (\(double))::real END"
    }

    func misfits(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String? {
      guard from != to, isNumber(from), isNumber(to) else { return nil }
      if let range = Self.integers[to] {
        if let before = Self.widths.firstIndex(of: from), let after = Self.widths.firstIndex(of: to) {
          return before > after ? "\(column) NOT BETWEEN \(range.least) AND \(range.most)" : nil
        }
        // The value is truncated towards zero. In PostgreSQL, NaN is greater than every number.
        if to == .integer64AttributeType, Self.reals.contains(from) {
          return "NOT (\(column) >= -9223372036854775808.0::double precision "
            + "AND \(column) < 9223372036854775808.0::double precision)"
        }
        return "NOT (\(column) > \(range.least)::numeric - 1 AND \(column) < \(range.most)::numeric + 1)"
      }
      guard to == .decimalAttributeType, Self.reals.contains(from) else { return nil }
      // These are the values beyond the greatest decimal number.
      return "NOT (abs(\(column)::double precision) < 3.4e165)"
    }

    func marked(_ column: String, isMarked: Bool) -> String? { nil }

    func literal(_ value: StoredValue, _ attribute: SQLAttribute) -> String? {
      let text: String
      switch value {
      case .int(let value) where attribute.type == .boolean: text = value == 0 ? "FALSE" : "TRUE"
      case .int(let value): text = "'\(value)'"
      case .double(let value):
        text = value.isNaN ? "'NaN'" : value.isInfinite ? "'\(value < 0 ? "-" : "")Infinity'" : "'\(value)'"
      case .string(let value): text = dialect.literal(.text(value))
      case .uuid(let value): text = "'\(value.uuidString)'"
      case .decimal(let value): text = value.isNaN ? "'NaN'" : "'\(value)'"
      case .data(let value): text = dialect.literal(.blob(value))
      case .transformed, .unset, .null, .other, .object: return nil
      }
      return "\(text)::\(dialect.typeName(attribute.type))"
    }

    func list(_ text: String, by separator: String) -> String { "string_agg(\(text), '\(separator)')" }
  }
#endif
