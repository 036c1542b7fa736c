import Foundation

extension SQLModel {
  /// The largest number of columns in an SQLite table, as distributions build SQLite.
  package static let maximumColumns = 2_000

  /// The largest number of entities of a SQLite store: the tables of history have the numbers from 16,000 on.
  package static let maximumEntities = 15_999

  /// Refuses entities whose tables SQLite would refuse, before anything is written.
  ///
  /// - Throws: 134020 for more columns than a table can have, and for more entities than have numbers.
  package static func checkLimits(of entities: [NSEntityDescription], path: String) throws {
    try checkCount(of: entities.count, path: path)
    // A property has three columns at most. Few models come near the limit; only their tables are laid out and the
    // columns counted.
    var properties: [ObjectIdentifier: Int] = [:]
    for entity in entities { properties[ObjectIdentifier(entity.rootEntity), default: 0] += entity.columnEstimate }
    guard properties.values.contains(where: { $0 > maximumColumns / 4 }) else { return }
    try SQLModel(entities: entities, dialect: SQLiteDialect()).checkLimits(path: path)
  }

  private static func checkCount(of entities: Int, path: String) throws {
    guard entities > maximumEntities else { return }
    throw NSError(
      coreData: NSPersistentStoreIncompatibleSchemaError,
      "The store at \(path) cannot hold \(entities) entities: a SQLite store has at most \(maximumEntities), since the numbers "
        + "behind them are those of its tables of history.", [NSFilePathErrorKey: path])
  }

  package func checkLimits(path: String) throws {
    try Self.checkCount(of: entities.count, path: path)
    for table in tables {
      let count = table.columns.count + 3
      guard count > Self.maximumColumns else { continue }
      let names = table.entityNumbers.compactMap { entity(number: $0)?.name }
      throw NSError(
        coreData: NSPersistentStoreIncompatibleSchemaError,
        "The store at \(path) cannot have the table \(table.name) with \(count) columns, too many columns for SQLite, "
          + "which has \(Self.maximumColumns) at most. Its entities are \(names.prefix(10).joined(separator: ", ")).",
        [NSFilePathErrorKey: path])
    }
  }
}

extension NSEntityDescription {
  /// About how many columns the entity's properties have, inherited ones included. A composite attribute counts one for
  /// each element.
  fileprivate var columnEstimate: Int {
    properties.reduce(0) { count, property in
      count + ((property as? NSCompositeAttributeDescription)?.elements.count ?? 1)
    }
  }
}
