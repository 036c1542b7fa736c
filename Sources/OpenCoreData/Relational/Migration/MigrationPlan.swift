/// The plan of a migration in place: how each entity's table is migrated, and the statements to run.
///
/// The plan is a value: it can be shown, compared and kept. It is valid for the file as it was when the plan was made.
/// A migration makes its own plan, inside its transaction.
package struct MigrationPlan: Sendable {
  /// How the table that holds an entity's rows is migrated.
  package enum Method: String, Sendable {
    /// Its rows and columns stay as they are.
    case untouched
    /// Columns are added, dropped and renamed, and rows are updated, in the existing table.
    case altered
    /// Its rows are copied into a new table by one statement for each old table.
    case rebuilt
    /// A new table, without rows.
    case created
    /// The table is dropped with its rows.
    case removed
  }

  /// How one entity is migrated.
  package struct Entity: Sendable {
    /// The name in the destination; for a removed entity the name in the source.
    package let name: String
    /// Its name in the source; nil for a new one.
    package let source: String?
    package let kind: EntityMigration.Kind
    /// The table that holds the entity's rows after the migration; for a removed entity the table that holds them now.
    package let table: String
    package let method: Method
    /// The number of rows now, without the rows of subentities.
    package let rows: Int64
    /// A line of text for each property that changes.
    package let changes: [String]
    /// The number added to the keys of the entity's rows, because the rows may move into a table in which their keys
    /// are already in use.
    package var keyOffset: Int64 = 0

    package init(
      name: String, source: String?, kind: EntityMigration.Kind, table: String, method: Method, rows: Int64,
      changes: [String], keyOffset: Int64 = 0
    ) {
      (self.name, self.source, self.kind, self.table, self.method) = (name, source, kind, table, method)
      (self.rows, self.changes, self.keyOffset) = (rows, changes, keyOffset)
    }
  }

  /// A condition that all rows must fulfil, as a query that counts the rows that do not.
  package struct Check: Sendable {
    package let sql: String
    package let obstacle: MigrationObstacle
    /// The number of rows that do not meet the condition; nil if they have not been counted.
    package var violations: Int64?
    /// A query for texts that name some of these rows.
    package var examples: String?

    package init(sql: String, obstacle: MigrationObstacle) { (self.sql, self.obstacle) = (sql, obstacle) }
  }

  /// One statement.
  package struct Step: Sendable {
    /// What the statement does.
    package let action: Action
    /// About how many rows it reads or writes.
    package let rows: Int64
    /// The obstacle to report when the statement fails because values that must be unique are not.
    package let obstacle: MigrationObstacle?
    /// The subject of the statement: a table, or the tables that describe the store.
    package let subject: String

    /// - Parameters:
    ///   - rows: about how many rows the statement reads or writes.
    ///   - obstacle: the obstacle to report if values that must be unique are not.
    package init(_ action: Action, rows: Int64 = 0, obstacle: MigrationObstacle? = nil, subject: String) {
      (self.action, self.rows, self.obstacle, self.subject) = (action, rows, obstacle, subject)
    }
  }

  /// What a step does. A change of tables, columns or indexes is data that a store prints in its dialect; a change of
  /// rows or triggers is SQL text in that dialect.
  package enum Action: Sendable {
    case alteration(SQLAlteration)
    case sql(String)
  }

  package var entities: [Entity] = []
  package var checks: [Check] = []
  package var steps: [Step] = []
  /// Queries for the references to files of external values that nothing uses after the migration.
  package var droppedFiles: [String] = []
  /// The clean-up that is deferred, if deferring was asked for.
  package var leftovers = MigrationLeftovers()
  /// For each table, the query that counts its rows afterwards, and how many there must be.
  package var expectedRows: [(sql: String, count: Int64)] = []

  package init() {}

  /// About how many rows are read or written.
  package var rowsTouched: Int64 { steps.reduce(0) { $0 + $1.rows } }
}

/// Tables and columns that nothing uses any more, and whose removal is deferred.
package struct MigrationLeftovers: Sendable, Equatable {
  package var tables: [String] = []
  package var columns: [Column] = []

  package struct Column: Sendable, Hashable {
    package let table: String
    package let name: String
  }

  package var isEmpty: Bool { tables.isEmpty && columns.isEmpty }
}
