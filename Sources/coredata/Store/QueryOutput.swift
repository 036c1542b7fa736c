import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// Writes the rows of a query.
struct QueryOutput {
  private let columns: [QueryColumn]
  private let format: StoreQueryCommand.Format

  init(_ columns: [QueryColumn], _ format: StoreQueryCommand.Format) {
    self.columns = columns
    self.format = format
  }

  /// The titles of the columns. A composite attribute has a column for each element, as in exported tables.
  private var titles: [String] { [ExportedObject.referenceName] + columns.flatMap(\.keyPaths) }

  func write(_ query: StoreQuery, of store: any QueriedStore) throws {
    switch format {
    case .table: try writeTable(query, store)
    case .json:
      try requireDistinct(columns.map(\.name))
      try writeJSON(query, store)
    case .csv:
      try requireDistinct(titles)
      try writeCSV(query, store)
    }
  }

  /// - Throws: a ``ToolError`` if a name is there twice: readers of the output would find one of the two values.
  private func requireDistinct(_ names: [String]) throws {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw ToolError("The column “\(name)” is asked for twice, and \(format.rawValue) can have a name once.")
    }
  }

  /// All rows are kept until the end, because the widths of the columns depend on all of them.
  private func writeTable(_ query: StoreQuery, _ store: any QueriedStore) throws {
    var rows: [[InspectedValue]] = []
    try store.rows(of: query) { rows.append($0) }
    var table = TextTable(
      columns: titles.enumerated().map { index, title in
        .init(title, !rows.isEmpty && rows.allSatisfy { $0[index].isNumber } ? .right : .left)
      })
    table.rows = rows.map { $0.map(ValueText.cell) }
    print(table.text)
    print("\n\(rows.count) \(rows.count == 1 ? "object" : "objects")")
  }

  /// Writes one object per line.
  private func writeJSON(_ query: StoreQuery, _ store: any QueriedStore) throws {
    let output = OutputLines()
    var last: String?
    try output.write("[")
    try store.rows(of: query) { row in
      if let last { try output.write(last + ",") }
      last = json(row)
    }
    if let last { try output.write(last) }
    try output.write("]")
    try output.flush()
  }

  private func json(_ row: [InspectedValue]) -> String {
    var values = row[...]
    var parts = ["\(ValueText.json(ExportedObject.referenceName)): \(ValueText.json(values.removeFirst()))"]
    for column in columns {
      let own = values.prefix(column.keyPaths.count)
      values = values.dropFirst(own.count)
      parts.append("\(ValueText.json(column.name)): \(column.json(Array(own)))")
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func writeCSV(_ query: StoreQuery, _ store: any QueriedStore) throws {
    let output = OutputLines()
    try output.write(titles.map { ValueText.csv($0) }.joined(separator: ","))
    try store.rows(of: query) { row in
      try output.write(row.map { ValueText.csv(ValueText.plain($0)) }.joined(separator: ","))
    }
    try output.flush()
  }
}

extension InspectedValue {
  /// Whether the value is a number or null.
  fileprivate var isNumber: Bool {
    switch self {
    case .null, .integer, .real, .float, .decimal: true
    default: false
    }
  }
}
