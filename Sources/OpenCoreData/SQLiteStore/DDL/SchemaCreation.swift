/// Runs the statements that create a schema, within a transaction that the caller has begun.
///
/// SQLite reads the whole of `sqlite_master`, the table of the schema, whenever a statement creates something. So the time
/// grows with the square of the number of statements: half a second for 3,000 tables and indexes, many seconds for 20,000. If
/// there are many statements, the existing rows are taken out of `sqlite_master` in between and put back in their order at
/// the end. Meanwhile SQLite keeps the schema in memory. The file becomes the same, byte for byte.
struct SchemaCreation {
  private let connection: SQLiteConnection
  private var setAside: [[String?]] = []

  /// If there are fewer statements, no rows are set aside.
  private static let manyStatements = 400
  /// The number of statements after which rows are set aside.
  private static let batch = 64

  /// - Throws: SQLite's error for a statement; then the caller must roll back.
  static func run(_ statements: [String], on connection: SQLiteConnection) throws {
    guard statements.count >= manyStatements else {
      for statement in statements { try connection.execute(statement) }
      return
    }
    try connection.execute("PRAGMA writable_schema=ON")
    defer { try? connection.execute("PRAGMA writable_schema=OFF") }
    // A library that was built to protect the schema leaves the pragma off.
    let isWritable = try connection.integer("PRAGMA writable_schema") == 1
    var creation = SchemaCreation(connection: connection)
    for (index, statement) in statements.enumerated() {
      try connection.execute(statement)
      if isWritable, index % batch == batch - 1 { try creation.takeOut() }
    }
    if isWritable { try creation.putBack() }
  }

  private init(connection: SQLiteConnection) { self.connection = connection }

  private mutating func takeOut() throws {
    setAside += try connection.rows("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master ORDER BY rowid")
    try connection.execute("DELETE FROM sqlite_master")
  }

  private mutating func putBack() throws {
    try takeOut()
    let row = try connection.statement(
      "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES(?, ?, ?, ?, ?)")
    for values in setAside {
      for (index, value) in values.enumerated() {
        switch value {
        case let value? where index == 3: row.bind(Int64(value) ?? 0, at: Int32(index + 1))
        case let value?: row.bind(value, at: Int32(index + 1))
        // The index that SQLite creates for a constraint of a table has no text.
        case nil: row.bindNull(at: Int32(index + 1))
        }
      }
      try row.run()
    }
  }
}
