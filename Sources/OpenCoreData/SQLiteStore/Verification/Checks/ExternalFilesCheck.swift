import Foundation

/// Checks the values in files of their own: each such row names a regular file that exists and that no other row names, and
/// each file is named by a row.
struct ExternalFilesCheck: StoreCheck {
  let schema: SQLModel

  let title = "external files"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    for table in schema.tables { try checkMarks(table, store, report) }
    let files = try ExternalFileReport.make(StoreFiles(store.url), store.connection, begin: nil)
    if let problem = files.folderProblem {
      report(StoreProblem(.externalFolder, at: files.folder.path, "the folder of values cannot be used: \(problem)"))
    } else {
      for (reason, found) in Dictionary(grouping: files.unreadable, by: \.reason).sorted(by: { $0.key < $1.key }) {
        let text = "the files of values in \(files.folder.path) cannot be read: \(reason)"
        tell(.unreadableExternalFile, found.map(\.reference), text, report)
      }
    }
    tell(files.foreign, in: files.folder, report)
    tell(.missingExternalFile, files.missing, "the files of values are missing in \(files.folder.path)", report)
    tell(.sharedExternalFile, files.shared, "another value has the same file, which goes with one of them", report)
    // A file is written before the row that names it is committed.
    let latest = Date(timeIntervalSinceNow: -60)
    let old = files.orphans.filter { Self.lastChange(of: $0) <= latest }
    let new = files.orphans.filter { !old.contains($0) }
    tell(old, "there are files that no row names", in: files.folder, report)
    tell(
      new, "there are files of the last minute that no row names yet; a save that is going on may need them",
      in: files.folder, report)
  }

  /// Returns when a file was changed; the distant past if the file has been removed.
  private static func lastChange(of file: URL) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }

  private func tell(_ foreign: [ExternalFileReport.Unusable], in folder: URL, _ report: (StoreProblem) -> Void) {
    if foreign.isEmpty { return }
    let names = foreign.map { "\($0.name) (\($0.reason))" }
    report(
      StoreProblem(
        .foreignExternalFile, .warning, at: folder.path, "there is what no framework makes, and what is never read",
        count: names.count, examples: Array(names.prefix(InspectedStore.exampleLimit))))
  }

  private func tell(_ orphans: [URL], _ text: String, in folder: URL, _ report: (StoreProblem) -> Void) {
    if orphans.isEmpty { return }
    let names = orphans.map(\.lastPathComponent)
    report(
      StoreProblem(
        .orphanExternalFile, .warning, at: folder.path, text, count: names.count,
        examples: Array(names.prefix(InspectedStore.exampleLimit))))
  }

  /// Checks the first byte of values, which tells where a value is: 1 in the row, 2 in a file whose name follows.
  private func checkMarks(
    _ table: SQLTable, _ store: InspectedStore, _ report: (StoreProblem) -> Void
  ) throws {
    for entity in table.entities(of: schema) {
      for case .attribute(let attribute) in entity.ownColumns
      where attribute.attribute.isKeptWithMark && store.hasColumn(attribute.columnName, in: table.name) {
        let column = "t.\(attribute.columnName.quotedName)"
        let isReference = "length(\(column)) BETWEEN \(ExternalReference.length - 1) AND \(ExternalReference.length)"
        let rows =
          "FROM \(table.name.quotedName) t WHERE typeof(\(column)) = 'blob' AND substr(\(column), 1, 1) <> x'01' "
          + "AND NOT (\(isReference) AND substr(\(column), 1, 1) = x'02')"
        guard let count = try store.connection.integer("SELECT COUNT(*) \(rows)"), count > 0 else { continue }
        report(
          StoreProblem(
            .externalReference, at: "\(entity.name).\(attribute.keyPath)",
            "\(attribute.columnName) holds values that do not say where they are", count: Int(count),
            examples: try store.examples("SELECT t.Z_ENT, t.Z_PK \(rows)")))
      }
    }
  }

  /// Reports references, grouped by the columns in which they are.
  private func tell(
    _ kind: StoreProblem.Kind, _ references: [ExternalFileReport.Reference], _ text: String,
    _ report: (StoreProblem) -> Void
  ) {
    let places = Dictionary(grouping: references) { self.place($0) }
    for (place, references) in places.sorted(by: { $0.key < $1.key }) {
      let examples = references.prefix(InspectedStore.exampleLimit).map { "Z_PK \($0.primaryKey): \($0.name)" }
      report(StoreProblem(kind, at: place, text, count: references.count, examples: examples))
    }
  }

  /// Returns the attribute of a column; the column itself if the model has no attribute for it.
  private func place(_ reference: ExternalFileReport.Reference) -> String {
    let table = schema.tables.first { $0.name.uppercased() == reference.table.uppercased() }
    for entity in table?.entities(of: schema) ?? [] {
      for case .attribute(let attribute) in entity.ownColumns
      where attribute.columnName.uppercased() == reference.column.uppercased() {
        return "\(entity.name).\(attribute.keyPath)"
      }
    }
    return "\(reference.table).\(reference.column)"
  }
}
