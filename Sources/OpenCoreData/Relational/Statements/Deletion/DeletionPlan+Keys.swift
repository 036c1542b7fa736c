// The private tables of keys, and how they are created, filled and emptied.
extension DeletionPlan {
  /// Creates the tables of keys if they do not exist, and empties them.
  package var preparation: [SQLCommand] {
    roots.flatMap { root -> [SQLCommand] in
      let table = Self.keys(of: root)
      let definition = SQLTableDefinition(
        name: table,
        columns: [
          SQLColumnDefinition(root.fixed.key, .key, isKey: true), SQLColumnDefinition(root.fixed.entity, .entityNumber),
          SQLColumnDefinition(Self.level, .integer64, defaultNumber: 0),
        ], isPrivate: true)
      var index = SQLIndexDefinition(name: "\(table)_LEVEL", table: table, terms: [.key(Self.level)])
      index.isPrivate = true
      return [.alteration(.create(definition)), .change(emptying(root))]
        + (hasCascades ? [.alteration(.createIndex(index))] : [])
    }
  }

  /// Empties a table of keys.
  package func emptying(_ root: SQLEntity) -> SQLChange { SQLChange(table: Self.keys(of: root)) }

  /// Fills a table of keys with the result of a select: keys and numbers of entities.
  package static func seeding(_ root: SQLEntity, _ selection: SQLStatement) -> SQLInsert {
    SQLInsert(keys(of: root), [root.fixed.key, root.fixed.entity], .statement(selection))
  }

  /// Adds the members of one level's rows to the next level; the variables are the next level and that level.
  package func cascade(_ step: DeletionStep) -> SQLInsert {
    let fixed = step.owner.fixed
    func member(_ name: String) -> SQLExpression { .column(alias: DeletionStep.members, name: name) }
    func owner(_ name: String) -> SQLExpression { .column(alias: DeletionStep.keys, name: name) }
    var select = step.members(
      of: Self.keys(of: step.owner), [member(fixed.key), member(fixed.entity), .parameter(.integer64)], fixed: fixed)
    let isOfLevel = SQLExpression.compare(.equal, owner(Self.level), .parameter(.integer64))
    select.condition = .all([step.isOwner(owner(fixed.entity)), isOfLevel].compactMap { $0 })
    return SQLInsert(
      Self.keys(of: step.destination.root), [fixed.key, fixed.entity, Self.level], .select(select),
      leavesOutConflicts: true)
  }

  /// The keys and entity numbers of all rows to delete.
  package func rows(_ root: SQLEntity) -> SQLSelect {
    SQLSelect([.name(root.fixed.key), .name(root.fixed.entity)], from: Self.keys(of: root))
  }

  /// Deletes the rows.
  package func deletion(_ root: SQLEntity) -> SQLChange {
    let key = SQLExpression.name(root.fixed.key)
    return SQLChange(
      table: root.tableName, condition: .inSelect(key, SQLSelect([key], from: Self.keys(of: root))))
  }
}
