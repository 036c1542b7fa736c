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
