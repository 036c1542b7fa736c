#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The statements that turn a table into its new version in place. One statement adds columns and changes types, and
  /// writes the rows at most once. Then values are set, columns are dropped, and at last columns are renamed.
  struct TableAlteration {
    private let home: String
    private let versions: StoreVersions
    private let types: [String: String]
    private var taken: Set<String> = []
    private var changes: [String] = [], defaults: [String] = []
    private var sets: [(column: String, value: String, condition: String?)] = []
    private var renamings: [(old: String, new: String)] = []
    private var retyped: Set<String> = []

    init(_ home: String, _ before: SQLTable, _ versions: StoreVersions) {
      (self.home, self.versions) = (home, versions)
      types = Dictionary(
        before.columns.lazy.filter { versions.contents.hasColumn($0.name, in: home) }
          .map { ($0.name, versions.new.dialect.name(of: $0.type)) }, uniquingKeysWith: { first, _ in first })
    }

    private func quoted(_ name: String) -> String { versions.quoted(name) }

    /// Reserves an old column that becomes a new one. Returns false if there is no such column, or another new column
    /// has it.
    /// - Parameter type: the type that the old column must have; nil for any type.
    mutating func take(_ column: String, ofType type: SQLColumnType? = nil) -> Bool {
      guard let known = types[column], type.map({ versions.new.dialect.name(of: $0) == known }) ?? true else {
        return false
      }
      return taken.insert(column).inserted
    }

    /// Keeps an old column as a new one.
    /// - Parameters:
    ///   - value: the new value, an expression of old columns; nil if rows keep their values.
    ///   - condition: the rows whose value changes; nil for all.
    mutating func keep(
      _ base: String, as column: (name: String, type: SQLColumnType), value: String?, condition: String?
    ) {
      if let dialect = versions.new.dialect as? PostgreSQLDialect, types[base] != dialect.name(of: column.type) {
        let type = dialect.name(of: column.type), value = value ?? quoted(base)
        changes.append("ALTER COLUMN \(quoted(base)) TYPE \(type) USING (\(value))::\(dialect.typeName(column.type))")
        retyped.insert(base)
      } else if let value {
        set(base, value, condition)
      }
      if base != column.name { renamings.append((base, column.name)) }
    }

    /// Adds a column.
    /// - Parameter isConstant: whether the value is the same for all rows.
    mutating func add(_ column: (name: String, type: SQLColumnType), value: String?, isConstant: Bool) {
      let isInUse = versions.contents.hasColumn(column.name, in: home)
      let name = isInUse ? "_new.\(changes.count)" : column.name
      var text = "ADD COLUMN \(quoted(name)) \(versions.new.dialect.name(of: column.type))"
      if let value, isConstant {
        // With a default, the server does not write the rows.
        text += " DEFAULT \(value)"
        defaults.append("ALTER COLUMN \(quoted(name)) DROP DEFAULT")
      } else if let value {
        set(name, value, nil)
      }
      changes.append(text)
      if isInUse { renamings.append((name, column.name)) }
    }

    mutating func set(_ column: String, _ value: String, _ condition: String?) {
      sets.append((column, value, condition))
    }

    private var dropped: [String] { types.keys.filter { !taken.contains($0) }.sorted() }

    /// The old columns whose indexes must be dropped.
    var touchedColumns: Set<String> { retyped.union(dropped).union(renamings.map(\.old)) }

    var statements: [(text: String, writesRows: Bool)] {
      let table = quoted(home)
      var result: [(text: String, writesRows: Bool)] = []
      if !changes.isEmpty {
        result.append(("ALTER TABLE \(table) \(changes.joined(separator: ", "))", !retyped.isEmpty))
      }
      if !defaults.isEmpty { result.append(("ALTER TABLE \(table) \(defaults.joined(separator: ", "))", false)) }
      if !sets.isEmpty {
        let conditions = sets.compactMap(\.condition)
        let filter =
          conditions.count == sets.count ? " WHERE \(Array(Set(conditions)).sorted().joined(separator: " OR "))" : ""
        let values = sets.map { "\(quoted($0.column)) = \($0.value)" }
        result.append(("UPDATE \(table) SET \(values.joined(separator: ", "))\(filter)", true))
      }
      if !dropped.isEmpty {
        let drops = dropped.map { "DROP COLUMN \(quoted($0))" }
        result.append(("ALTER TABLE \(table) \(drops.joined(separator: ", "))", false))
      }
      for (old, new) in Self.ordered(renamings) {
        result.append(("ALTER TABLE \(table) RENAME COLUMN \(quoted(old)) TO \(quoted(new))", false))
      }
      return result
    }

    /// Returns renamings in an order in which each new name is free. If a new name is also an old one, each renaming
    /// takes two steps.
    static func ordered(_ renamings: [(old: String, new: String)]) -> [(old: String, new: String)] {
      let olds = Set(renamings.map(\.old))
      guard renamings.contains(where: { olds.contains($0.new) }) else { return renamings }
      return renamings.enumerated().map { ($1.old, "_old.\($0)") }
        + renamings.enumerated().map { ("_old.\($0)", $1.new) }
    }
  }
#endif
