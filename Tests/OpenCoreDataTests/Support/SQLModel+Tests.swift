@_spi(Store) @testable import OpenCoreData

extension SQLModel {
  /// The schema of a SQLite store for all entities of a model.
  convenience init(model: NSManagedObjectModel) { self.init(entities: model.entities, dialect: SQLiteDialect()) }
}
