extension StoreVersions {
  /// Both versions of a file's layout.
  convenience init(_ migration: InferredMigration, old: SQLModel, new: SQLModel, contents: StoreContents) {
    self.init(migration, old: old, new: new, contents: contents, words: SQLiteMigrationWords())
  }
}
