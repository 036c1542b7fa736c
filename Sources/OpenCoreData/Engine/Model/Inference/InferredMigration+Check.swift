extension InferredMigration {
  /// Checks, by the models alone, that every step of the migration is possible.
  /// - Parameter names: the names of the entities that the store holds; nil for all.
  /// - Throws: 134140, with the error of inference (134190) as its underlying error.
  package func check(holding names: Set<String>?) throws {
    let fatal = obstacles.filter { obstacle in
      // The other obstacles concern values that would be missing. Whether values are missing depends on the rows.
      obstacle.kind == .noInferredMapping && names?.contains(obstacle.entity) != false
    }
    guard let cause = MigrationObstacle.inferenceError(fatal) else { return }
    throw StoreMigrationError.missingMapping(self, reason: fatal[0].text, cause)
  }

  /// Whether a store with this metadata already has the new version.
  package func isDone(_ metadata: [String: Any]) -> Bool { Self.isDone(metadata, from: source, to: destination) }

  /// Whether the metadata of a store fit the destination and do not fit the source.
  static func isDone(
    _ metadata: [String: Any], from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> Bool {
    isOf(destination, metadata) && !isOf(source, metadata)
  }

  /// Whether the metadata of a store fit a model, or one of its configurations.
  private static func isOf(_ model: NSManagedObjectModel, _ metadata: [String: Any]) -> Bool {
    ([nil] + model.configurations).contains {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
  }
}
