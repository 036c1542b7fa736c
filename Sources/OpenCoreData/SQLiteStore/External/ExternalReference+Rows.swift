import Foundation

extension ExternalReference {
  /// Writes this reference in the place of an old one.
  func replace(_ old: ExternalFileReport.Reference, _ connection: SQLiteConnection) throws {
    let statement = try connection.statement(
      "UPDATE \(old.table.quotedName) SET \(old.column.quotedName) = ? WHERE Z_PK = ?")
    statement.bind(column, at: 1)
    statement.bind(old.primaryKey, at: 2)
    try statement.run()
  }
}
