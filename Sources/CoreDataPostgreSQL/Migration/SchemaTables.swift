#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The names of the objects that a store has in its schema, by the model that the store keeps. They distinguish the
  /// store's own objects from those of others.
  struct SchemaTables {
    let tables, sequences, collations: [String]

    /// - Throws: an error of decoding the store's model.
    init(of row: StoreRow) throws { try self.init(Self.model(of: row)) }

    /// Returns the tables of the entities that a store holds, by the model that it keeps.
    /// - Throws: an error of decoding the model.
    static func model(of row: StoreRow) throws -> SQLModel {
      let model = try ModelCache.decode(row.model)
      try model.prepareWithinLimits()
      let names = Set((row.metadata.properties[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys)
      return SQLModel(
        entities: model.entities.filter { names.contains($0.name ?? "") }, dialect: PostgreSQLDialect())
    }

    init(_ model: SQLModel) {
      tables = model.dialect.naming.otherTables + model.tables.flatMap { [$0.name] + $0.joinTables.map(\.name) }
      sequences = model.entities.filter { $0.superentity == nil }.map {
        model.dialect.naming.column(of: [$0.name, "_pk"])
      }
      collations = ["_localized", "_localizedCaseInsensitive", "_localizedStandard"]
    }

    /// Returns the statements that drop all objects of the store.
    func drops(in schema: String) -> [String] {
      let name = { (name: String) in "\(Self.quoted(schema)).\(Self.quoted(name))" }
      return ["DROP TABLE IF EXISTS \(tables.map(name).joined(separator: ", "))"]
        + sequences.map { "DROP SEQUENCE IF EXISTS \(name($0))" }
        + collations.map { "DROP COLLATION IF EXISTS \(name($0))" }
    }

    /// Returns the statements that move all objects of the store from one schema to another.
    func moves(from old: String, to new: String, _ connection: ServerConnection) throws -> [String] {
      let there = try Self.objects(in: old, connection)
      let target = Self.quoted(new)
      func move(_ kind: String, _ names: [String]) -> [String] {
        names.filter(there.contains).map {
          "ALTER \(kind) \(Self.quoted(old)).\(Self.quoted($0)) SET SCHEMA \(target)"
        }
      }
      return move("TABLE", tables) + move("SEQUENCE", sequences) + move("COLLATION", collations)
    }

    /// Returns the names of the objects in a schema: tables, views, sequences, collations, functions, and types that
    /// are not those of tables or arrays.
    static func objects(in schema: String, _ connection: ServerConnection) throws -> Set<String> {
      let name = PostgreSQLDialect().literal(.text(schema))
      return Set(
        try connection.texts(
          """
          WITH s AS (SELECT oid FROM pg_namespace WHERE nspname = \(name)) \
          SELECT relname::text FROM pg_class, s WHERE relnamespace = s.oid AND relkind NOT IN ('i', 'I', 't') \
          UNION ALL SELECT collname::text FROM pg_collation, s WHERE collnamespace = s.oid \
          UNION ALL SELECT proname::text FROM pg_proc, s WHERE pronamespace = s.oid \
          UNION ALL SELECT typname::text FROM pg_type, s WHERE typnamespace = s.oid AND typrelid = 0 AND typelem = 0
          """))
    }

    static func quoted(_ name: String) -> String { PostgreSQLDialect().quoted(name) }

    /// Drops a schema if it is empty; "public" stays, and so does a schema that the role may not drop.
    static func dropIfEmpty(_ schema: String, _ connection: ServerConnection) throws {
      guard schema != "public", try objects(in: schema, connection).isEmpty else { return }
      try connection.execute("SAVEPOINT emptied")
      do {
        try connection.execute("DROP SCHEMA IF EXISTS \(quoted(schema))")
      } catch let error as ServerError where connection.isUsable && ["42501", "2BP01"].contains(error.sqlState) {
        try connection.execute("ROLLBACK TO SAVEPOINT emptied")
      }
    }
  }
#endif
