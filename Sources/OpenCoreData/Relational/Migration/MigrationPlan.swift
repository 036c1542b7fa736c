/// The plan of a migration in place: the fate of each entity's table, and the statements to run.
///
/// A value: it can be shown, compared and kept. It holds for the file as it was when the plan was made; a migration makes
/// its own, inside its transaction.
package struct MigrationPlan: Sendable {
  /// How the table that holds an entity's rows is migrated.
  package enum Method: String, Sendable {
    /// The table's rows and columns stay unchanged.
    case untouched
    /// Columns are added, dropped and renamed, and rows updated, in the existing table.
    case altered
    /// The rows are copied into a new table, by one statement for each old table.
    case rebuilt
    /// A new table, without rows.
    case created
    /// The table is dropped with its rows.
    case removed
  }

  /// The migration of one entity.
  package struct Entity: Sendable {
    /// The name in the destination, or in the source if the entity was removed.
    package let name: String
    /// The entity's name in the source; nil for a new entity.
    package let source: String?
    package let kind: EntityMigration.Kind
    /// The table of the entity's rows after the migration; for a removed entity, the table before it.
    package let table: String
    package let method: Method
    /// The number of its rows now, without those of subentities.
    package let rows: Int64
    /// A line of text for each property that changes.
    package let changes: [String]
    /// The number added to the keys of the entity's rows, since they may move into a table in which their keys are in
    /// use.
    package var keyOffset: Int64 = 0

    package init(
      name: String, source: String?, kind: EntityMigration.Kind, table: String, method: Method, rows: Int64,
      changes: [String], keyOffset: Int64 = 0
    ) {
      (self.name, self.source, self.kind, self.table, self.method) = (name, source, kind, table, method)
      (self.rows, self.changes, self.keyOffset) = (rows, changes, keyOffset)
    }
  }

  /// A condition that all rows must meet, as a query that counts the rows that do not.
  package struct Check: Sendable {
    package let sql: String
    package let obstacle: MigrationObstacle
    /// The number of rows that do not meet it; nil if they were not counted.
    package var violations: Int64?
    /// A query for texts that name some of the rows.
    package var examples: String?

    package init(sql: String, obstacle: MigrationObstacle) { (self.sql, self.obstacle) = (sql, obstacle) }
  }

  /// One statement.
  package struct Step: Sendable {
    /// What the statement does.
    package let action: Action
    /// The estimated number of rows that the step reads or writes.
    package let rows: Int64
    /// The obstacle to report when the statement fails because values that must be unique are not.
    package let obstacle: MigrationObstacle?
    /// The subject of the statement: a table, or the tables that describe the store.
    package let subject: String

    /// - Parameters:
    ///   - rows: about how many rows the statement reads or writes.
    ///   - obstacle: the obstacle to report where values that must be unique are not.
    package init(_ action: Action, rows: Int64 = 0, obstacle: MigrationObstacle? = nil, subject: String) {
      (self.action, self.rows, self.obstacle, self.subject) = (action, rows, obstacle, subject)
    }
  }

  /// The action of a step. Changes of tables, columns and indexes are data that a store expresses in its own SQL; changes of
  /// rows and triggers are SQL already.
  package enum Action: Sendable {
    case alteration(SQLAlteration)
    case sql(String)
  }

  package var entities: [Entity] = []
  package var checks: [Check] = []
  package var steps: [Step] = []
  /// Queries for references to files of external values that are not needed afterwards.
  package var droppedFiles: [String] = []
  /// The clean-up that is deferred, if deferring was asked for.
  package var leftovers = MigrationLeftovers()
  /// For each table, the query that counts its rows afterwards, and how many there must be.
  package var expectedRows: [(sql: String, count: Int64)] = []

  package init() {}

  /// About how many rows are read or written.
  package var rowsTouched: Int64 { steps.reduce(0) { $0 + $1.rows } }
}

/// Tables and columns that nothing uses any more, whose removal waits.
package struct MigrationLeftovers: Sendable, Equatable {
  package var tables: [String] = []
  package var columns: [Column] = []

  package struct Column: Sendable, Hashable {
    package let table: String
    package let name: String
  }

  package var isEmpty: Bool { tables.isEmpty && columns.isEmpty }
}
