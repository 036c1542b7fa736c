/// The tables that NSPersistentCloudKitContainer keeps in a store that it mirrors. Their names begin with ANSCK.
///
/// Little of them is public. Some name the objects of the model: ZENTITYID is the number of the object's entity, and ZENTITYPK
/// its key. Nothing here writes other columns of these tables.
enum MirroringTables {
  /// The table with a row for each record of an object.
  static let records = "ANSCKRECORDMETADATA"
  static let entity = "ZENTITYID", key = "ZENTITYPK"

  static func isName(_ table: String) -> Bool { table.uppercased().hasPrefix("ANSCK") }

  /// Returns the tables, of those given with their columns, whose rows name objects of the model.
  static func naming(among tables: [String: [String]]) -> [String] {
    tables.filter { name, columns in
      let columns = Set(columns.map { $0.uppercased() })
      return isName(name) && columns.contains(entity) && columns.contains(key)
    }.keys.sorted()
  }
}

extension InspectedStore {
  /// How many records of objects CloudKit's mirroring has noted; nil for a store that is not mirrored.
  package func mirroredRecords() throws -> Int? {
    guard columns.keys.contains(where: MirroringTables.isName) else { return nil }
    guard hasTable(MirroringTables.records) else { return 0 }
    return Int(try connection.integer("SELECT COUNT(*) FROM \(MirroringTables.records)") ?? 0)
  }
}
