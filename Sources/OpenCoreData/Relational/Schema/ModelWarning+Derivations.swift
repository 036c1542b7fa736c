extension NSManagedObjectModel {
  /// Probable mistakes, by entity and property: those in the model itself, then derived attributes that a store cannot
  /// keep.
  package final var warnings: [ModelWarning] {
    ownWarnings
      + SQLDerivations(of: SQLModel(entities: entities, dialect: SQLiteDialect())).unstored.map {
        ModelWarning(entity: $0.entity, property: $0.attribute, reason: "it stays nil: \($0.reason)")
      }
  }
}
