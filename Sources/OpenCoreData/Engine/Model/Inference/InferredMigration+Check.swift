extension InferredMigration {
  /// Makes sure that every step can be taken, by the models alone.
  /// - Parameter names: the entities that the store holds; nil for all.
  /// - Throws: 134140, with the error of inference (134190) under it.
  package func check(holding names: Set<String>?) throws {
    let fatal = obstacles.filter { obstacle in
      // The other obstacles concern missing values; whether values are missing depends on the rows.
      obstacle.kind == .noInferredMapping && names?.contains(obstacle.entity) != false
    }
    guard let cause = MigrationObstacle.inferenceError(fatal) else { return }
    throw StoreMigrationError.missingMapping(self, reason: fatal[0].text, cause)
  }

  /// Whether a store with these metadata has the new version already.
  package func isDone(_ metadata: [String: Any]) -> Bool { Self.isDone(metadata, from: source, to: destination) }

  /// Whether a store has the new version and no longer the old one.
  static func isDone(
    _ metadata: [String: Any], from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> Bool {
    func isOf(_ model: NSManagedObjectModel) -> Bool {
      ([nil] + model.configurations).contains {
        model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
      }
    }
    return isOf(destination) && !isOf(source)
  }
}
