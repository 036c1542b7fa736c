#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension StoreContents {
    /// Reads the tables and columns of the schema in which a connection looks names up.
    /// - Parameter schema: the model of the tables whose rows are counted.
    init(_ connection: ServerConnection, schema: SQLModel) throws {
      let quoted = schema.dialect.quoted
      var tables: [String: [(name: String, type: String)]] = [:]
      try connection.query(
        """
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod) FROM pg_class c \
        JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid \
        WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped \
        ORDER BY a.attnum
        """
      ) { result, row in
        tables[result.string(row, 0), default: []].append((result.string(row, 1), result.string(row, 2)))
      }
      var rows: [String: [Int: Int64]] = [:], keys: [String: Int64] = [:]
      for table in schema.tables where tables[table.name] != nil {
        let (name, fixed) = (quoted(table.name), schema.dialect.columns)
        var counts: [Int: Int64] = [:]
        try connection.query(
          "SELECT \(quoted(fixed.entity)), count(*) FROM \(name) GROUP BY \(quoted(fixed.entity))"
        ) { result, row in counts[Int(result.int32(row, 0))] = result.int64(row, 1) }
        rows[table.name] = counts
        guard let root = table.entityNumbers.first.flatMap(schema.entity(number:)) else { continue }
        keys[table.name] = try connection.integer(
          "SELECT GREATEST((SELECT max(\(quoted(fixed.key))) FROM \(name)), (SELECT CASE WHEN is_called THEN last_value + "
            + "\(ServerKeys.block - 1) ELSE last_value - 1 END FROM \(ServerSchema.sequence(of: root, schema.dialect))))"
        )
      }
      for join in schema.tables.flatMap(\.joinTables) where tables[join.name] != nil {
        rows[join.name] = [0: try connection.integer("SELECT count(*) FROM \(quoted(join.name))") ?? 0]
      }
      self.init(tables: tables, rows: rows, highestKeys: keys, ignoresCase: false)
    }
  }
#endif
