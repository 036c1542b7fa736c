import CommandSupport
import CoreDataTools

extension StoreInfoReport {
  /// The report as text for people.
  var text: String {
    var lines: [(String, String)] = [("Kind", kind), ("UUID", uuid ?? "none")]
    if let frameworkVersion { lines.append(("Framework version", String(frameworkVersion))) }
    lines.append(
      (
        "Model",
        (model ?? "none in the store")
          + (versionIdentifiers.isEmpty ? "" : ", version \(versionIdentifiers.joined(separator: ", "))")
      ))
    if let size {
      lines.append(("Size", "\(size) bytes" + (logSize.map { $0 > 0 ? ", and \($0) in the log" : "" } ?? "")))
    }
    lines += details?.map { ($0.title, $0.text) } ?? []
    if kind == StoreKind.sqlite.rawValue { lines += database }
    if !customMetadataKeys.isEmpty { lines.append(("Own metadata", customMetadataKeys.joined(separator: ", "))) }
    if !unknownTables.isEmpty { lines.append(("Unknown tables", unknownTables.joined(separator: ", "))) }
    let width = lines.map(\.0.count).max() ?? 0
    let facts = lines.map { $0.0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.1 }
    return ([file, ""] + facts + ["", table.text]).joined(separator: "\n")
  }

  /// The lines that only apply to SQLite databases.
  private var database: [(String, String)] {
    var lines = [("Journal", journalMode ?? "")]
    lines.append(
      (
        "Pages",
        "\(pages ?? 0) of \(pageSize ?? 0) bytes, \(freePages ?? 0) free, auto vacuum \(autoVacuum ?? "unknown")"
      ))
    if let externalData, externalData.files > 0 {
      lines.append(("External data", "\(externalData.files) files, \(externalData.bytes) bytes"))
    }
    let recorded = history.map { "\($0.transactions) transactions, \($0.changes ?? 0) changes" }
    lines.append(("History", recorded ?? "off"))
    return lines
  }

  private var table: TextTable {
    var table = TextTable(
      columns: [
        .init("Entity"), .init("Rows", .right), .init("With subentities", .right), .init("Last key", .right),
        .init("Version hash"),
      ])
    table.rows = entities.map { entity in
      [
        entity.name + (entity.superentity.map { ": \($0)" } ?? "") + (entity.isAbstract == true ? " (abstract)" : ""),
        entity.rows.map(String.init) ?? "?", entity.allRows.map(String.init) ?? "?",
        entity.lastKey.map(String.init) ?? "", entity.hash.map { String($0.prefix(12)) } ?? "",
      ]
    }
    return table
  }
}
