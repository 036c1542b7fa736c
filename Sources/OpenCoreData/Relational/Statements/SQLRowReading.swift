/// The statements that read rows for faults and prefetching: key, number of the entity (0 if the table has rows of one
/// entity only), version, then the columns of the entity's `SQLRowLayout`.
package struct SQLRowReading {
  package let entity: SQLEntity

  package init(entity: SQLEntity) { self.entity = entity }

  private func column(_ name: String) -> SQLExpression { .column(alias: 0, name: name) }
  private var key: SQLExpression { column(entity.fixed.key) }

  private var rows: SQLSelect {
    let number = entity.sharesTable ? column(entity.fixed.entity) : .integer(0)
    return SQLSelect(
      [key, number, column(entity.fixed.version)] + entity.rowLayout.columnNames.map(column), from: entity.tableName,
      alias: 0)
  }

  /// The rows that have one of the given number of keys.
  package func byKeys(_ count: Int) -> SQLSelect {
    var select = rows
    select.keys = SQLKeyList(column: entity.fixed.key, count: count)
    return select
  }

  /// The rows that have one of the keys that a select gives.
  package func byKeys(in keys: SQLSelect) -> SQLSelect {
    var select = rows
    select.condition = .inSelect(key, keys)
    return select
  }

  /// All rows of the entity, in the order of their keys.
  package var all: SQLSelect {
    var select = rows
    if entity.superentity != nil { select.condition = .inIntegers(column(entity.fixed.entity), entity.numbers) }
    select.order = [SQLOrder(expression: key)]
    return select
  }

  /// The rows whose column holds one of any number of owners' keys, ordered by owner.
  package func ofOwners(_ owner: String) -> SQLSelect {
    var select = rows
    select.condition = .inKeyParameter(column(owner))
    select.order = [SQLOrder(expression: column(owner)), SQLOrder(expression: key)]
    return select
  }
}
