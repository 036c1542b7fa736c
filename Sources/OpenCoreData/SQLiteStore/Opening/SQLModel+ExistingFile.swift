import Foundation

extension SQLModel {
  /// Maps entities to the tables of a file that may hold a store of them.
  ///
  /// Join tables and owner columns keep the names that they have in the file, because a migration or another version of this
  /// library may have chosen these names. In a file without tables they get the usual names.
  convenience init(entities: [NSEntityDescription], in connection: SQLiteConnection) throws {
    let tables = try ExistingTables(connection)
    self.init(entities: entities, dialect: SQLiteDialect()) { tables.columns(of: $0) }
    if let problem = tables.problem { throw problem }
  }

  /// Maps entities of a model in the same way. The stores of a model that cannot change any more share the result, if their files
  /// have the same tables where the tables matter.
  static func shared(
    _ entities: [NSEntityDescription], of model: NSManagedObjectModel, in connection: SQLiteConnection
  ) throws -> SQLModel {
    let tables = try ExistingTables(connection)
    let known: KnownMapping? = try model.shared.value { try $0.fits(entities, tables) }
    if let known { return known.schema }
    var asked: [KnownMapping.Table] = []
    let schema = SQLModel(entities: entities, dialect: SQLiteDialect()) { name in
      let columns = tables.columns(of: name)
      asked.append(KnownMapping.Table(name: name, columns: columns))
      return columns
    }
    if let problem = tables.problem { throw problem }
    if model.isFrozen { model.shared.keep(KnownMapping(entities, asked, schema)) }
    return schema
  }
}

/// The mapping of entities to the tables of a file, and what it depends on.
private final class KnownMapping: Sendable {
  /// The columns of a table; nil if there was no such table.
  struct Table {
    let name: String
    let columns: [String]?
  }

  private let entities: [ObjectIdentifier]
  /// The tables that the mapping has asked for.
  private let tables: [Table]
  let schema: SQLModel

  init(_ entities: [NSEntityDescription], _ tables: [Table], _ schema: SQLModel) {
    self.entities = entities.map(ObjectIdentifier.init)
    self.tables = tables
    self.schema = schema
  }

  /// Whether the same entities have the same mapping in a file.
  func fits(_ entities: [NSEntityDescription], _ existing: ExistingTables) throws -> Bool {
    guard self.entities.elementsEqual(entities.lazy.map(ObjectIdentifier.init)) else { return false }
    let fits = tables.allSatisfy { existing.columns(of: $0.name) == $0.columns }
    if let problem = existing.problem { throw problem }
    return fits
  }
}

/// The tables of a file. The columns of a table are read when they are asked for, because a file may have thousands of
/// tables.
private final class ExistingTables {
  /// The first error of a read, for which `columns(of:)` has returned nil.
  private(set) var problem: (any Error)?
  private let connection: SQLiteConnection
  private let names: Set<String>
  private var known: [String: [String]] = [:]

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    names = Set(try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap { $0[0] })
  }

  func columns(of table: String) -> [String]? {
    guard names.contains(table) else { return nil }
    if let columns = known[table] { return columns }
    do {
      let columns = try connection.columns(of: table)
      known[table] = columns
      return columns
    } catch {
      problem = problem ?? error
      return nil
    }
  }
}
