extension StoreVersions {
  /// Makes both versions of a file's layout, with SQLite's words.
  convenience init(_ migration: InferredMigration, old: SQLModel, new: SQLModel, contents: StoreContents) {
    self.init(migration, old: old, new: new, contents: contents, words: SQLiteMigrationWords())
  }
}
