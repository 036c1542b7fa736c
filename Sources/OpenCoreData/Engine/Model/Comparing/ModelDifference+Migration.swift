extension ModelDifference {
  /// What keeps a lightweight migration from being done; empty if it can be.
  package var obstacles: [MigrationObstacle] { migration.obstacles }

  /// What the rows of a store must be like for its migration to end well.
  package var conditions: [MigrationObstacle] { migration.conditions }
}
