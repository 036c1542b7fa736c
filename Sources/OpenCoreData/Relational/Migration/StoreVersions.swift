/// Both versions of a store's layout, and how the rows of one correspond to those of the other.
package final class StoreVersions {
  package let migration: InferredMigration
  /// The schema of the store before the migration.
  package let old: SQLModel
  /// The schema of the store after the migration.
  package let new: SQLModel
  package let contents: StoreContents
  /// The database's own expressions.
  package let words: any SQLMigrationWords

  /// The entity and the key offset that the rows of an old entity get.
  package struct Successor {
    package let entity: SQLEntity
    /// The number added to the rows' keys, since they move into a table in which these keys are in use.
    package let offset: Int64
  }

  /// The old file's tables, and the new version's many-to-many relationships, by the names of tables.
  package let names: TableNames
  /// The successors by the number of the old entity. An entity that is removed has none.
  package private(set) var successors: [Int: Successor] = [:]
  /// By the number of the new entity.
  package private(set) var predecessors: [Int: SQLEntity] = [:]
  package private(set) var migrations: [Int: EntityMigration] = [:]
  /// For each new table where its rows come from.
  package private(set) var feeds: [String: [TableFeed]] = [:]
  /// For each new table the old table that becomes it, and whose rows keep their keys.
  package private(set) var homes: [String: String] = [:]

  package init(
    _ migration: InferredMigration, old: SQLModel, new: SQLModel, contents: StoreContents, words: any SQLMigrationWords
  ) {
    self.migration = migration
    self.words = words
    (self.old, self.new, self.contents) = (old, new, contents)
    names = TableNames(old: old, new: new)
    for change in migration.entities {
      guard let destination = change.destination, let entity = new.entity(for: destination) else { continue }
      migrations[entity.number] = change
      if let source = change.source, let before = old.entity(for: source) { predecessors[entity.number] = before }
    }
    for table in new.tables { findFeeds(of: table) }
  }

  private func findFeeds(of table: SQLTable) {
    var found: [TableFeed] = []
    for number in table.entityNumbers {
      guard let entity = new.entity(number: number), let before = predecessors[number], !before.entity.isAbstract
      else { continue }
      if let place = found.firstIndex(where: { $0.table == before.tableName }) {
        found[place].pairs.append((before, entity))
      } else {
        found.append(TableFeed(table: before.tableName, offset: 0, pairs: [(before, entity)]))
      }
    }
    let ofRoot = table.entityNumbers.first.flatMap { predecessors[$0]?.tableName }
    let home = ofRoot.flatMap { root in found.isEmpty || found.contains { $0.table == root } ? root : nil }
    homes[table.name] = home ?? found.first?.table
    // The rows that stay in their own table come first, since they keep their keys.
    found.sort { ($0.table == home ? 0 : 1, $0.table) < ($1.table == home ? 0 : 1, $1.table) }
    var offset: Int64 = 0
    for index in found.indices {
      found[index].offset = offset
      offset += contents.highestKey(of: found[index].table)
      for (before, entity) in found[index].pairs {
        successors[before.number] = Successor(entity: entity, offset: found[index].offset)
      }
    }
    feeds[table.name] = found
  }

  /// A name as it stands in a statement.
  package func quoted(_ name: String) -> String { new.dialect.quoted(name) }

  /// The columns that every table of an entity has, as they stand in a statement.
  package var key: String { quoted(new.dialect.columns.key) }
  package var entityNumber: String { quoted(new.dialect.columns.entity) }

  /// The highest key of a new table's rows.
  package func highestKey(of table: SQLTable) -> Int64 {
    let ofFeeds = (feeds[table.name] ?? []).map { contents.highestKey(of: $0.table) + $0.offset }.max()
    return ofFeeds ?? homes[table.name].map(contents.highestKey) ?? 0
  }

  /// The source relationships of a relationship of the destination: that of its own entity, and those of its
  /// subentities.
  package func sources(of relationship: NSRelationshipDescription) -> [NSRelationshipDescription] {
    guard let owner = relationship.owner.flatMap(new.entity(for:)) else { return [] }
    var result: [NSRelationshipDescription] = []
    for number in owner.numbers where predecessors[number] != nil {
      let change = migrations[number]?.relationships.first { $0.destination.name == relationship.name }
      // A subentity has those of its superentity.
      guard let source = change?.source.map(Self.declared), !result.contains(where: { $0 === source }) else { continue }
      result.append(source)
    }
    return result
  }

  /// The relationship of the entity that declares it.
  private static func declared(_ relationship: NSRelationshipDescription) -> NSRelationshipDescription {
    relationship.owner?.relationshipsByName[relationship.name] ?? relationship
  }
}

/// The source of rows of a table.
package struct TableFeed {
  /// The old table.
  package let table: String
  /// The number added to the rows' keys.
  package var offset: Int64
  /// Each old entity with rows of its own, and the entity that it becomes.
  package var pairs: [(old: SQLEntity, new: SQLEntity)]

  package init(table: String, offset: Int64, pairs: [(old: SQLEntity, new: SQLEntity)]) {
    (self.table, self.offset, self.pairs) = (table, offset, pairs)
  }
}
