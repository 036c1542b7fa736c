/// Checks the database file with SQLite's own integrity check.
struct IntegrityCheck: StoreCheck {
  let title = "file"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    let lines = try store.connection.rows("PRAGMA integrity_check").compactMap { $0[0] }
    guard lines != ["ok"] else { return }
    report(
      StoreProblem(
        .damagedFile, at: store.url.lastPathComponent, "SQLite finds the file damaged", count: lines.count,
        examples: Array(lines.prefix(InspectedStore.exampleLimit))))
  }
}
