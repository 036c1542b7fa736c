// The protocols that a SQLite store implements beyond ``NSPersistentStore``. Their requirements are in the extensions of the
// subfolders.
extension SQLiteStore: BatchStore {}
extension SQLiteStore: RelationalStore {}
