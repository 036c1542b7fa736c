/// The statements by which a save writes the rows of an entity, one row in each run.
package struct SQLRows {
  package let entity: SQLEntity

  package init(entity: SQLEntity) { self.entity = entity }

  private var fixed: SQLFixedColumns { entity.fixed }
  private var key: SQLExpression { .name(fixed.key) }

  /// An INSERT of key, number of the entity, version and the columns of the entity, in this order.
  package var insertion: SQLInsert {
    let own: [(name: String, type: SQLColumnType)] = [
      (fixed.key, .key), (fixed.entity, .entityNumber), (fixed.version, .version),
    ]
    return SQLInsert(entity.tableName, binding: own + entity.columns.flatMap(\.typedNames))
  }

  /// An UPDATE of some of the entity's columns, given by their positions. The variables are the values of these
  /// columns, the new version, the key, and the version that the row must have.
  package func update(_ positions: some Sequence<Int>) -> SQLChange {
    let values = positions.flatMap { entity.columns[$0].assignments }
    return SQLChange(
      table: entity.tableName, assignments: values + [.parameter(fixed.version, .version)],
      condition: .all([
        .compare(.equal, key, .parameter(.key)), .compare(.equal, .name(fixed.version), .parameter(.version)),
      ]))
  }

  /// A DELETE of the row with a key, if the row has the version in the second variable, or if that variable is 0.
  package var deletion: SQLChange {
    let version = SQLExpression.parameter(.version, number: 2)
    return SQLChange(
      table: entity.tableName,
      condition: .all([
        .compare(.equal, key, .parameter(.key)),
        .or([.compare(.equal, version, .integer(0)), .compare(.equal, .name(fixed.version), version)]),
      ]))
  }

  /// A select that returns one row if there is a row with a key.
  package var presence: SQLSelect {
    SQLSelect([.integer(1)], from: entity.tableName, where: .compare(.equal, key, .parameter(.key)))
  }

  /// The keys and versions of rows with any number of keys.
  package var versions: SQLSelect {
    SQLSelect([key, .name(fixed.version)], from: entity.tableName, where: .inKeyParameter(key))
  }

  // MARK: Values that must be unique

  /// An UPDATE that sets some columns of a row to NULL.
  package func vacating(_ columns: [String]) -> SQLChange {
    SQLChange(
      table: entity.tableName, assignments: columns.map { SQLAssignment($0, .null) },
      condition: .compare(.equal, key, .parameter(.key)))
  }

  /// Returns a select of the rows that have one of several groups of values, as the number of the group, the key and
  /// the number of the entity. The database looks into the index of these columns once for each group.
  package func lookUp(_ columns: [SQLAttributeColumn], groups: Int) -> SQLSelect {
    let rows = (0..<groups).map { group in
      [SQLExpression.integer(group)] + columns.map { .parameter($0.type) }
    }
    let names = columns.indices.map { "v\($0)" }
    let conditions = columns.enumerated().map { index, column in
      SQLExpression.compare(.equal, .column(alias: 1, name: column.name), .column(alias: 0, name: names[index]))
    }
    var select = SQLSelect(
      [.column(alias: 0, name: "n"), .column(alias: 1, name: fixed.key), .column(alias: 1, name: fixed.entity)],
      from: "v", alias: 0)
    select.rows = SQLRowList(name: "v", columns: ["n"] + names, rows: rows)
    select.joins = [SQLJoin(kind: .inOrder, table: entity.tableName, alias: 1, condition: .all(conditions))]
    return select
  }

  /// The row that has the values of some columns, as key and number of the entity.
  package func having(_ columns: [SQLAttributeColumn]) -> SQLSelect {
    SQLSelect(
      [key, .name(fixed.entity)], from: entity.tableName,
      where: .all(columns.map { .compare(.equal, .name($0.name), .parameter($0.type)) }))
  }

  /// An UPDATE of some columns of the row with a key, whatever version the row has.
  package func overwriting(_ columns: [SQLAttributeColumn]) -> SQLChange {
    let version = SQLAssignment(fixed.version, .arithmetic(.plus, .name(fixed.version), .integer(1)))
    return SQLChange(
      table: entity.tableName, assignments: columns.map { .parameter($0.name, $0.type) } + [version],
      condition: .compare(.equal, key, .parameter(.key)))
  }
}
