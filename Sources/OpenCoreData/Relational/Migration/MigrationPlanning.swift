/// A class of stores that are migrated in place by statements, and that can show the plan in advance.
package protocol MigrationPlanning {
  /// The plan for the store as it is now, with the rows counted that are not as the migration needs them; nothing is
  /// changed.
  /// - Throws: 134140 if no mapping can be inferred, 134130 for a store of another model, and what reading it throws.
  static func migrationPlan(
    _ place: MigrationPlace, by migration: InferredMigration, configuration: String?
  ) throws -> MigrationPlan
}
