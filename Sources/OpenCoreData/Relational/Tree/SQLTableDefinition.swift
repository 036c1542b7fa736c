/// A table to create, as data.
package struct SQLTableDefinition: Sendable, Equatable {
  package var name: String
  package var columns: [SQLColumnDefinition]
  /// The columns that make up the key; empty if one column alone is the key.
  package var key: [String] = []
  /// Whether only the connection that creates the table sees it. Such a table may already exist.
  package var isPrivate = false
}

/// A column of a table to create.
package struct SQLColumnDefinition: Sendable, Equatable {
  package var name: String
  package var type: SQLColumnType
  /// Whether the column alone is the table's key.
  package var isKey = false
  /// The default value for rows that give none; nil for NULL.
  package var defaultNumber: Int?

  package init(_ name: String, _ type: SQLColumnType, isKey: Bool = false, defaultNumber: Int? = nil) {
    (self.name, self.type, self.isKey, self.defaultNumber) = (name, type, isKey, defaultNumber)
  }
}

extension SQLTableDefinition {
  /// The table of a root entity.
  /// - Parameter name: the name of the table if it is not the table's own.
  package init(_ table: SQLTable, fixed: SQLFixedColumns, named name: String? = nil) {
    self.init(
      name: name ?? table.name,
      columns: [
        SQLColumnDefinition(fixed.key, .key, isKey: true), SQLColumnDefinition(fixed.entity, .entityNumber),
        SQLColumnDefinition(fixed.version, .version),
      ] + table.columns.map { SQLColumnDefinition($0.name, $0.type) })
  }

  /// The table of a many-to-many relationship.
  /// - Parameter name: the name of the table if it is not the table's own.
  package init(_ table: SQLJoinTable, named name: String? = nil) {
    let key = [table.sourceColumn, table.destinationColumn]
    self.init(
      name: name ?? table.name,
      columns: key.map { SQLColumnDefinition($0, .key) }
        + table.orderColumns.map { SQLColumnDefinition($0, .position) },
      key: key)
  }
}

extension SQLPrinter {
  /// Prints a CREATE TABLE.
  package mutating func print(_ table: SQLTableDefinition) {
    write(table.isPrivate ? "CREATE TEMP TABLE IF NOT EXISTS " : "CREATE TABLE ")
    write("\(dialect.quoted(table.name)) ( ")
    for (index, column) in table.columns.enumerated() {
      if index > 0 { write(", ") }
      print(column)
    }
    if !table.key.isEmpty { write(", PRIMARY KEY (\(table.key.map(dialect.quoted).joined(separator: ", ")))") }
    write(" )")
  }

  /// Prints a column in the syntax of CREATE TABLE and ADD COLUMN.
  package mutating func print(_ column: SQLColumnDefinition) {
    write("\(dialect.quoted(column.name)) \(dialect.name(of: column.type))")
    if column.isKey { write(" PRIMARY KEY") }
    if let number = column.defaultNumber { write(" DEFAULT \(number)") }
  }
}
