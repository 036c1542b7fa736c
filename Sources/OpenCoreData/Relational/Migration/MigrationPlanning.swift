/// A class of stores that are migrated in place by statements, and that can show the plan in advance.
package protocol MigrationPlanning {
  /// Returns the plan for the store as it is now. For each condition, the rows that do not meet it are counted. The
  /// store is not changed.
  /// - Throws: 134140 if no mapping can be inferred, 134130 for a store of another model, and the errors of reading the
  ///   store.
  static func migrationPlan(
    _ place: MigrationPlace, by migration: InferredMigration, configuration: String?
  ) throws -> MigrationPlan
}
