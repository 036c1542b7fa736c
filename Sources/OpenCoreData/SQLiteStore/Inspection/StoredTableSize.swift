import Foundation

/// How much of a store's file the table of a root entity takes. The table also has the rows of the entities that inherit from
/// it.
package struct StoredTableSize: Sendable {
  /// The name of the root entity.
  package let entity: String
  /// The size of the table in bytes, without the indexes.
  package let table: Int
  /// The size of the indexes in bytes.
  package let indexes: Int

  package init(entity: String, table: Int, indexes: Int) {
    (self.entity, self.table, self.indexes) = (entity, table, indexes)
  }
}

extension InspectedStore {
  /// Returns how much of the file each table takes. To know that, SQLite reads every page.
  /// - Returns: nil if the system's SQLite library lacks `dbstat`, or if the file has no model.
  package func tableSizes() throws -> [StoredTableSize]? {
    guard let schema, try connection.integer("SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'") == 1
    else {
      return nil
    }
    var sizes: [String: (table: Int, indexes: Int)] = [:]
    let rows = try connection.rows(
      """
      SELECT m.tbl_name, m.type, SUM(d.pgsize) FROM dbstat d JOIN sqlite_master m ON m.name = d.name \
      WHERE d.aggregate = TRUE GROUP BY m.tbl_name, m.type
      """)
    for row in rows {
      guard let name = row[0]?.lowercased(), let size = row[2].flatMap({ Int($0) }) else { continue }
      if row[1] == "table" {
        sizes[name, default: (0, 0)].table += size
      } else {
        sizes[name, default: (0, 0)].indexes += size
      }
    }
    return schema.tables.compactMap { table in
      guard let root = schema.entity(number: table.entityNumbers[0]), let size = sizes[table.name.lowercased()] else {
        return nil
      }
      return StoredTableSize(entity: root.name, table: size.table, indexes: size.indexes)
    }
  }
}
