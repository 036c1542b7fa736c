/// Both versions of a store's layout, and where the rows of one version are found in the other.
package final class StoreVersions {
  package let migration: InferredMigration
  /// The layout of the store as it is.
  package let old: SQLModel
  /// The layout of the store after the migration.
  package let new: SQLModel
  package let contents: StoreContents
  /// The parts of expressions that differ between databases.
  package let words: any SQLMigrationWords

  /// The new entity of an old entity's rows, and the offset of their keys.
  package struct Successor {
    package let entity: SQLEntity
    /// The number added to the rows' keys, because the rows move into a table in which these keys are already in use.
    package let offset: Int64
  }

  /// The old tables, and the many-to-many relationships of the new version, by the name of the table.
  package let names: TableNames
  /// The successors, by the number of the old entity. A removed entity has none.
  package private(set) var successors: [Int: Successor] = [:]
  /// The old entity of each new entity, by the number of the new entity.
  package private(set) var predecessors: [Int: SQLEntity] = [:]
  package private(set) var migrations: [Int: EntityMigration] = [:]
  /// The sources of the rows of each new table, by the table's name.
  package private(set) var feeds: [String: [TableFeed]] = [:]
  /// The old table that each new table continues, by the name of the new table. The rows of that old table keep their
  /// keys.
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
    // The rows that stay in their own table come first, because they keep their keys.
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

  /// A name as it is written in a statement.
  package func quoted(_ name: String) -> String { new.dialect.quoted(name) }

  /// The key and entity columns, which every entity's table has, as they are written in a statement.
  package var key: String { quoted(new.dialect.columns.key) }
  package var entityNumber: String { quoted(new.dialect.columns.entity) }

  /// The highest key of a new table's rows.
  package func highestKey(of table: SQLTable) -> Int64 {
    let ofFeeds = (feeds[table.name] ?? []).map { contents.highestKey(of: $0.table) + $0.offset }.max()
    return ofFeeds ?? homes[table.name].map(contents.highestKey) ?? 0
  }

  /// Returns the source relationships of a relationship of the destination: the source for the entity that declares the
  /// relationship, and the sources for the subentities.
  package func sources(of relationship: NSRelationshipDescription) -> [NSRelationshipDescription] {
    guard let owner = relationship.owner.flatMap(new.entity(for:)) else { return [] }
    var result: [NSRelationshipDescription] = []
    for number in owner.numbers where predecessors[number] != nil {
      let change = migrations[number]?.relationships.first { $0.destination.name == relationship.name }
      // A subentity inherits relationships, so the same source may be found several times.
      guard let source = change?.source.map(Self.declared), !result.contains(where: { $0 === source }) else { continue }
      result.append(source)
    }
    return result
  }

  /// Returns the relationship as its owner entity holds it.
  private static func declared(_ relationship: NSRelationshipDescription) -> NSRelationshipDescription {
    relationship.owner?.relationshipsByName[relationship.name] ?? relationship
  }
}

/// An old table that rows of a new table come from.
package struct TableFeed {
  /// The old table.
  package let table: String
  /// The number added to the rows' keys.
  package var offset: Int64
  /// Each old entity that has rows in the table, and its new entity.
  package var pairs: [(old: SQLEntity, new: SQLEntity)]

  package init(table: String, offset: Int64, pairs: [(old: SQLEntity, new: SQLEntity)]) {
    (self.table, self.offset, self.pairs) = (table, offset, pairs)
  }
}
