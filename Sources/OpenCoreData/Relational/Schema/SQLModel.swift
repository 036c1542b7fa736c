/// The entities of one store and their tables.
///
/// It is made once from a frozen model when a store is added, and never changes.
package final class SQLModel: Sendable {
  /// The entities in the order of their numbers: the entity with number n is at n - 1.
  package let entities: [SQLEntity]
  /// The tables of the root entities, in the order of their numbers.
  package let tables: [SQLTable]
  private let entitiesByName: [String: SQLEntity]
  /// The dialect of the store's database.
  package let dialect: any SQLDialect

  /// Makes the schema of a store.
  ///
  /// - Parameters:
  ///   - entities: The entities of the store's configuration, in any order. Their superentities are added.
  ///   - dialect: The dialect of the store's database, which also names the columns that every table has.
  ///   - existingColumns: Returns the columns of a table of an existing file, or nil if there is no such table. If Apple's
  ///     framework may name a table in either of two ways, the name in the file is used.
  package init(
    entities: [NSEntityDescription], dialect: any SQLDialect, existingColumns: (String) -> [String]? = { _ in nil }
  ) {
    let builder = SQLModelBuilder(entities: entities, dialect: dialect, existingColumns: existingColumns)
    self.dialect = dialect
    self.entities = builder.makeEntities()
    tables = builder.makeTables()
    entitiesByName = Dictionary(self.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    SecretAttributes.add(self)
  }

  /// The entity with the given number, or nil if the store has none.
  package func entity(number: Int) -> SQLEntity? {
    // The number may come from a damaged file.
    number > 0 && number <= entities.count ? entities[number - 1] : nil
  }

  /// The entity with the given name, or nil if the store has none.
  package func entity(named name: String) -> SQLEntity? { entitiesByName[name] }

  /// The description of an entity's tables, or nil if the store does not contain the entity.
  package func entity(for entity: NSEntityDescription) -> SQLEntity? {
    // In most cases the store has all entities of the model, in the model's order.
    let number = entity.storeNumber
    if number > 0, number <= entities.count, entities[number - 1].entity === entity { return entities[number - 1] }
    return entity.name.flatMap { entitiesByName[$0] }
  }

  /// The entity that a to-one relationship leads to.
  package func destination(of toOne: SQLToOne) -> SQLEntity { entities[toOne.destinationNumber - 1] }

  /// The entity that a to-many relationship leads to.
  package func destination(of toMany: SQLToMany) -> SQLEntity { entities[toMany.destinationNumber - 1] }
}

/// The table of a root entity as it is created.
package struct SQLTable: Sendable {
  package let name: String
  /// The numbers of the entities whose rows are in the table: the root's first.
  package let entityNumbers: [Int]
  /// The columns after those that every table has, in order, with their types.
  package let columns: [(name: String, type: SQLColumnType)]
  /// The to-one key columns, in the order of their indexes.
  package let keyColumns: [String]
  /// The foreign keys of relationships without inverse, which name the owner of a member's row.
  package let ownerColumns: [SQLOwnerColumn]
  /// The join tables that follow this table.
  package let joinTables: [SQLJoinTable]
}

/// The table of a many-to-many relationship.
package struct SQLJoinTable: Sendable {
  package let name: String
  package let sourceColumn: String
  package let destinationColumn: String
  package let orderColumns: [String]
}
