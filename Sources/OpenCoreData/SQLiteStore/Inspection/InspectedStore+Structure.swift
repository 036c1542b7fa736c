import CSQLite
import Foundation

extension InspectedStore {
  /// The data of a file about itself: metadata, model, tables. They stay valid after the file is closed.
  package final class Structure {
    let storedMetadata: StoreMetadata?
    let metadataProblem: String?
    let cachedModel: NSManagedObjectModel?
    let cacheProblem: String?
    let model: NSManagedObjectModel?
    let schema: SQLModel?
    let columns: [String: Set<String>]
    /// A mark that differs if any of these data has changed; nil if it cannot be read.
    let mark: Mark?

    struct Mark: Equatable {
      var schemaVersion: Int64
      var metadata: Data?
      var modelCache: Data?
    }

    init(_ connection: SQLiteConnection, model given: NSManagedObjectModel?, _ mark: Mark?) throws {
      self.mark = mark
      let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap { $0[0] }
      var columns: [String: [String]] = [:]
      for table in tables { columns[table] = try Self.columns(of: table, connection) }
      self.columns = Dictionary(
        columns.map { ($0.lowercased(), Set($1.map { $0.lowercased() })) }, uniquingKeysWith: { first, _ in first })
      (storedMetadata, metadataProblem) = Self.attempt { try StoreMetadata(connection) }
      (cachedModel, cacheProblem) = Self.attempt { try StoredModel.cache(connection).map(ModelCache.decode) }
      model = given ?? cachedModel
      try model?.prepareWithinLimits()
      let names = Set((storedMetadata?.properties[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys)
      schema = model.map { model in
        // A store may hold one configuration of a larger model. Entities that the metadata do not name have no tables.
        let held = model.entities.filter { names.contains($0.name ?? "") }
        return SQLModel(entities: held.isEmpty ? model.entities : held, dialect: SQLiteDialect()) { columns[$0] }
      }
    }

    /// Returns the mark of the present contents of the file.
    static func mark(_ connection: SQLiteConnection) -> Mark? {
      func data(_ sql: String) throws -> Data? {
        let statement = try SQLiteStatement(sql, on: connection)
        statement.begin()
        defer { statement.reset() }
        return try statement.step() ? statement.data(0) : nil
      }
      do {
        let version = try connection.integer("PRAGMA schema_version") ?? 0
        let tables = try connection.rows(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('Z_METADATA', 'Z_MODELCACHE')"
        ).compactMap { $0[0] }
        return Mark(
          schemaVersion: version,
          metadata: tables.contains("Z_METADATA") ? try data("SELECT Z_PLIST FROM Z_METADATA") : nil,
          modelCache: tables.contains("Z_MODELCACHE") ? try data("SELECT Z_CONTENT FROM Z_MODELCACHE") : nil)
      } catch {
        return nil
      }
    }

    /// Returns the columns of a table; none if the table is damaged, which the checks of the file report.
    private static func columns(of table: String, _ connection: SQLiteConnection) throws -> [String] {
      do {
        return try connection.columns(of: table)
      } catch  where SQLiteError.has(error, code: SQLITE_CORRUPT) {
        return []
      }
    }

    private static func attempt<Result>(_ read: () throws -> Result?) -> (Result?, String?) {
      do { return (try read(), nil) } catch { return (nil, (error as NSError).localizedDescription) }
    }
  }
}
