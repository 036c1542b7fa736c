#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Looks for problems in a store, with one connection and in one transaction.
  ///
  /// If the tables are as the framework made them, the server itself keeps types, keys and unique values correct. These
  /// checks find what other programs can do to the tables with SQL.
  struct ServerVerification {
    /// How many rows are named as examples.
    static let exampleLimit = 5

    let connection: ServerConnection
    let schema: SQLModel
    let row: StoreRow
    /// The columns of each table with their types, by name.
    let columns: [String: [String: String]]

    init(_ connection: ServerConnection, _ schema: SQLModel, _ row: StoreRow) throws {
      (self.connection, self.schema, self.row) = (connection, schema, row)
      var columns: [String: [String: String]] = [:]
      try connection.query(
        """
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod) FROM pg_class c \
        JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid \
        WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
        """
      ) { columns[$0.string($1, 0), default: [:]][$0.string($1, 1)] = $0.string($1, 2) }
      self.columns = columns
    }

    /// The checks with their titles.
    private var checks: [(title: String, run: ((StoreProblem) -> Void) throws -> Void)] {
      [("metadata", checkMetadata), ("tables", checkTables), ("entity numbers", checkEntityNumbers)]
        + schema.tables.map { table in ("the table \(table.name)", { try checkRows(of: table, $0) }) }
        + [
          ("tables of pairs", checkPairs), ("unique values", checkUniqueness),
          ("numbers of members", checkMemberCounts),
          ("history", checkHistory),
        ]
    }

    func problems(progress: (String, Int, Int) -> Void) -> [StoreProblem] {
      var problems: [StoreProblem] = []
      let checks = checks
      for (index, check) in checks.enumerated() {
        progress(check.title, index + 1, checks.count)
        do {
          // An error aborts the transaction; it can continue from the last savepoint.
          try connection.execute("SAVEPOINT checked")
          try check.run { problems.append($0) }
        } catch {
          let reason = (error as? ServerError)?.message ?? (error as NSError).localizedDescription
          problems.append(StoreProblem(.unreadable, at: check.title, "cannot be checked: \(reason)"))
          guard connection.isUsable, (try? connection.execute("ROLLBACK TO SAVEPOINT checked")) != nil else { break }
        }
      }
      return problems
    }

    // MARK: Words of SQL

    func quoted(_ name: String) -> String { schema.dialect.quoted(name) }
    var key: String { quoted(schema.dialect.columns.key) }
    var entity: String { quoted(schema.dialect.columns.entity) }

    func hasColumn(_ column: String, in table: String) -> Bool { columns[table]?[column] != nil }

    /// Returns the condition that a row belongs to an entity or its subentities; nil if all rows of the table do.
    func membership(_ alias: String, _ entity: SQLEntity) -> String? {
      entity.superentity == nil ? nil : "\(alias).\(self.entity) IN (\(Self.list(entity.numbers)))"
    }

    static func list(_ numbers: some Sequence<Int>) -> String { numbers.map(String.init).joined(separator: ", ") }

    /// Returns the names of the objects in the first rows of a query that returns an entity's number and a key.
    func examples(_ sql: String) throws -> [String] {
      var examples: [String] = []
      try connection.query("SELECT x.e::integer, x.k::bigint FROM (\(sql) LIMIT \(Self.exampleLimit)) x(e, k)") {
        let number = $0.isNull($1, 0) ? nil : Int($0.int32($1, 0))
        let name = number.flatMap { schema.entity(number: $0)?.name } ?? "number \(number.map(String.init) ?? "NULL")"
        examples.append("\(name)/p\($0.isNull($1, 1) ? "NULL" : String($0.int64($1, 1)))")
      }
      return examples
    }

    /// Reports the rows of a FROM clause, with its conditions, if there are any.
    func check(
      _ kind: StoreProblem.Kind, at place: String, _ text: String, rows: String,
      examples: String, _ report: (StoreProblem) -> Void
    ) throws {
      guard let count = try connection.integer("SELECT count(*) \(rows)"), count > 0 else { return }
      let names = try connection.texts("SELECT \(examples) \(rows) LIMIT \(Self.exampleLimit)")
      report(StoreProblem(kind, at: place, text, count: Int(count), examples: names))
    }
  }
#endif
