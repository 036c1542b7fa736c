/// Dictionaries by table name for the planning of a migration, so that planning time grows with the number of tables
/// and not with its square.
package struct TableNames: Sendable {
  /// The old tables of root entities.
  package private(set) var oldTables: [String: SQLTable] = [:]
  /// The old tables of many-to-many relationships.
  package private(set) var oldJoins: [String: SQLJoinTable] = [:]
  /// The old entities whose rows are in a table, in the order of their numbers.
  package private(set) var oldEntities: [String: [SQLEntity]] = [:]
  /// The relationship that a new table is named after, and the entity that declares it.
  package private(set) var newRelationships: [String: (toMany: SQLToMany, entity: SQLEntity)] = [:]

  init(old: SQLModel, new: SQLModel) {
    for table in old.tables {
      oldTables[table.name] = table
      for join in table.joinTables { oldJoins[join.name] = join }
    }
    for entity in old.entities { oldEntities[entity.tableName, default: []].append(entity) }
    let sources = Dictionary(
      new.tables.lazy.flatMap(\.joinTables).map { ($0.name, $0.sourceColumn) }, uniquingKeysWith: { first, _ in first })
    for entity in new.entities {
      for toMany in entity.toManys.values where toMany.relationship.owner === entity.entity {
        guard case .join(let table, let source, _, _, _) = toMany.storage, sources[table] == source,
          newRelationships[table] == nil
        else { continue }
        newRelationships[table] = (toMany, entity)
      }
    }
  }
}
