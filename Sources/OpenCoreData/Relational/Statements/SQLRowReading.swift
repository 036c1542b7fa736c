/// The statements that read rows for faults and prefetching: key, number of the entity, version, then the columns of the
/// entity's `SQLRowLayout`.
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

  /// The rows that have one of some keys.
  package func byKeys(_ count: Int) -> SQLSelect {
    var select = rows
    select.keys = SQLKeyList(column: entity.fixed.key, count: count)
    return select
  }

  /// The rows that have one of the keys that a select returns.
  package func byKeys(in keys: SQLSelect) -> SQLSelect {
    var select = rows
    select.condition = .inSelect(key, keys)
    return select
  }

  /// All rows of the entity, by their keys.
  package var all: SQLSelect {
    var select = rows
    if entity.superentity != nil { select.condition = .inIntegers(column(entity.fixed.entity), entity.numbers) }
    select.order = [SQLOrder(expression: key)]
    return select
  }

  /// The rows whose column has one of the given owners' keys, owner by owner.
  package func ofOwners(_ owner: String) -> SQLSelect {
    var select = rows
    select.condition = .inKeyParameter(column(owner))
    select.order = [SQLOrder(expression: column(owner)), SQLOrder(expression: key)]
    return select
  }
}
