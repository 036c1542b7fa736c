import Foundation
import OpenCoreData

/// Writes the rows of a query.
struct QueryOutput {
  private let columns: [String]
  private let format: StoreQueryCommand.Format

  init(_ columns: [String], _ format: StoreQueryCommand.Format) {
    self.columns = columns
    self.format = format
  }

  func write(_ query: StoreQuery, of store: InspectedStore) throws {
    switch format {
    case .table: try writeTable(query, store)
    case .json: try writeJSON(query, store)
    case .csv: try writeCSV(query, store)
    }
  }

  /// The widths of columns are known at the end, so all rows are kept.
  private func writeTable(_ query: StoreQuery, _ store: InspectedStore) throws {
    var rows: [[InspectedValue]] = []
    try store.rows(of: query) { rows.append($0) }
    var table = TextTable(
      columns: (["id"] + columns).enumerated().map { index, title in
        .init(title, !rows.isEmpty && rows.allSatisfy { $0[index].isNumber } ? .right : .left)
      })
    table.rows = rows.map { $0.map(ValueText.cell) }
    print(table.text)
    print("\n\(rows.count) \(rows.count == 1 ? "object" : "objects")")
  }

  /// One object to a line.
  private func writeJSON(_ query: StoreQuery, _ store: InspectedStore) throws {
    let output = OutputLines()
    let names = (["id"] + columns).map { ValueText.json($0) }
    var last: String?
    try output.write("[")
    try store.rows(of: query) { row in
      if let last { try output.write(last + ",") }
      last = "{" + zip(names, row).map { "\($0): \(ValueText.json($1))" }.joined(separator: ", ") + "}"
    }
    if let last { try output.write(last) }
    try output.write("]")
    try output.flush()
  }

  private func writeCSV(_ query: StoreQuery, _ store: InspectedStore) throws {
    let output = OutputLines()
    try output.write((["id"] + columns).map { ValueText.csv($0) }.joined(separator: ","))
    try store.rows(of: query) { row in
      try output.write(row.map { ValueText.csv(ValueText.plain($0)) }.joined(separator: ","))
    }
    try output.flush()
  }
}

extension InspectedValue {
  /// Whether the value is a number, or missing.
  fileprivate var isNumber: Bool {
    switch self {
    case .null, .integer, .real, .float, .decimal: true
    default: false
    }
  }
}
