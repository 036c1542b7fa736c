#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The statements that create the tables of a store.
  struct ServerSchema {
    /// The number of the format that this file describes.
    static let format: Int32 = 1

    let model: SQLModel

    private var dialect: any SQLDialect { model.dialect }

    /// Returns all statements for a new store except those that insert rows.
    func statements() -> [String] {
      Self.bookkeeping + tables() + model.entities.filter { $0.superentity == nil }.map(sequence) + indexes()
    }

    /// Returns the statements for the tables of the entities, each followed by those for its join tables. A part of
    /// each page is left free for new versions of its rows.
    private func tables() -> [String] {
      DDL.definitions(of: model).map { DDL.text(.create($0), model) + " WITH (fillfactor = 90)" }
    }

    private func indexes() -> [String] { indexDefinitions().map { DDL.text(.createIndex($0.definition), model) } }

    /// Returns the indexes, with names that the server accepts, and for a unique index the entity and properties that
    /// it makes unique.
    func indexDefinitions() -> [(
      definition: SQLIndexDefinition, unique: (entity: SQLEntity, properties: [String])?
    )] {
      let unique = DDL.uniqueIndexNames(of: model)
      return DDL.indexDefinitions(of: model).map { definition in
        var fitted = definition
        fitted.name = dialect.naming.table(of: definition.name)
        return (fitted, unique[definition.name])
      }
    }

    private func sequence(of root: SQLEntity) -> String {
      "CREATE SEQUENCE \(Self.sequence(of: root, dialect)) AS bigint INCREMENT BY \(ServerKeys.block)"
    }

    /// Returns the name of the sequence from which a root entity's keys come.
    /// - Parameter asText: whether to return it as a literal, for `nextval`.
    static func sequence(of root: SQLEntity, _ dialect: any SQLDialect, asText: Bool = false) -> String {
      let name = dialect.quoted(dialect.naming.column(of: [root.name, "_pk"]))
      return asText ? dialect.literal(.text(name)) : name
    }

    /// The statements for the tables that describe the store and its history.
    private static let bookkeeping = [
      """
      CREATE TABLE "_store"(one boolean PRIMARY KEY DEFAULT true CHECK (one), uuid text NOT NULL, \
      format integer NOT NULL, version bigint NOT NULL, system bigint, model bytea NOT NULL, metadata bytea NOT NULL, \
      purged xid8[])
      """,
      "CREATE TABLE \"_entity\"(number integer PRIMARY KEY, name text COLLATE \"C\" NOT NULL UNIQUE, root integer NOT NULL)",
      """
      CREATE TABLE "_commit"(xid xid8 PRIMARY KEY DEFAULT pg_current_xact_id(), token uuid NOT NULL UNIQUE, \
      at double precision NOT NULL, author text, context text, process text, bundle text)
      """,
      "CREATE INDEX \"_commit.untold\" ON \"_commit\"(xid) WHERE process IS NULL",
      """
      CREATE TABLE "_change"(xid xid8 NOT NULL DEFAULT pg_current_xact_id(), n integer NOT NULL, kind "char" NOT NULL, \
      ent integer NOT NULL, pk bigint NOT NULL, props bytea, tomb bytea, PRIMARY KEY (xid, n))
      """,
      """
      CREATE TABLE "_reader"(process uuid PRIMARY KEY, snapshot pg_snapshot NOT NULL, at double precision NOT NULL)
      """,
      "CREATE TABLE \"_horizon\"(at double precision PRIMARY KEY, snapshot pg_snapshot NOT NULL)",
    ]

    /// The collations by which fetches may sort strings, with the server's locales; the names are the dialect's.
    static let collations = [
      ("_localized", "und"), ("_localizedCaseInsensitive", "und-u-ks-level2"), ("_localizedStandard", "und-u-kn-true"),
    ].map { name, locale in
      "CREATE COLLATION \"\(name)\" (provider = icu, locale = '\(locale)', deterministic = false)"
    }
  }
#endif
