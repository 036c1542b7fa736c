import Foundation

// CloudKit's tables, which stay in a store whose contents are exchanged, and name its objects by their keys.
extension StoreExchange {
  func requireNoKeysElsewhere(_ options: [AnyHashable: Any]?) throws {
    guard try tables().keys.contains(where: MirroringTables.isName),
      try !StoreOptionValue.flag(OCDMigrateMirroredStoreOption, in: options)
    else { return }
    throw NSError(
      coreData: NSMigrationError,
      "The store at \(files.url.path) was not migrated: CloudKit mirrors it, and its tables (ANSCK...) name objects by keys that "
        + "a migration by a mapping model does not keep. With the option \(OCDMigrateMirroredStoreOption) it is migrated, and "
        + "their rows name no object any more.",
      [NSFilePathErrorKey: files.url.path])
  }

  func forgetKeysElsewhere() throws {
    for table in MirroringTables.naming(among: try tables()) {
      try connection.execute("UPDATE \(table.quotedName) SET \(MirroringTables.entity) = NULL")
    }
  }

  /// The tables' columns, by the tables' names.
  private func tables() throws -> [String: [String]] {
    let names = try connection.rows("SELECT name FROM main.sqlite_master WHERE type = 'table'").compactMap { $0[0] }
    return try Dictionary(
      names.map { ($0, try connection.columns(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }
}
