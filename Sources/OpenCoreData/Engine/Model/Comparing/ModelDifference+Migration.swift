extension ModelDifference {
  /// The reasons why a lightweight migration is not possible; empty if it is.
  package var obstacles: [MigrationObstacle] { migration.obstacles }

  /// The conditions that the rows of a store must fulfil for its migration to succeed.
  package var conditions: [MigrationObstacle] { migration.conditions }
}
