// What a SQLite store can do besides what every store can do. The requirements are met by extensions, with a folder for each
// subject.
extension SQLiteStore: BatchStore {}
extension SQLiteStore: RelationalStore {}
