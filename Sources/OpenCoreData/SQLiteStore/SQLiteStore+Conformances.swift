// What a SQLite store does besides what every store does; the requirements are met by its sides, a folder each.
extension SQLiteStore: BatchStore {}
extension SQLiteStore: RelationalStore {}
