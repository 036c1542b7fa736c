import Foundation

/// The instructions that works took on one combination of processor, C library, SQLite and Swift. The record is a file in the
/// repository.
struct CountRecord {
  /// The part by which a count may exceed the record.
  ///
  /// Evaluating a predicate casts the object to a protocol. The run-time library looks the conformance up in a hash table of
  /// addresses, so that where the linker has put things decides how far it looks: the same code took 2,844 and 2,916
  /// instructions in two builds.
  static func tolerance(of name: String) -> Double { name == "predicate-evaluate" ? 0.04 : 0.02 }

  /// The works that are not recorded. The order in which a merge visits objects depends on their addresses, so that its counts
  /// differ by one per cent from run to run.
  private static let unsteady: Set<String> = ["merge-10k"]

  let counts: [String: Double]

  /// Returns the file in a folder for this machine's combination.
  static func file(in folder: String) -> URL {
    let name = Machine.combination.map { $0.value.hasPrefix($0.name) ? $0.value : "\($0.name) \($0.value)" }
      .joined(separator: "-").replacing("processor ", with: "").lowercased()
    let plain = name.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" }
    return URL(fileURLWithPath: folder).appending(path: String(plain) + ".tsv")
  }

  init(_ counts: [String: Double]) { self.counts = counts }

  /// Reads a record.
  init(contentsOf file: URL) throws {
    var counts: [String: Double] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: "\t")
      guard parts.count == 2, let count = Double(parts[1]) else {
        throw CompareError("\(file.path): not a name and a number: \(line)")
      }
      counts[String(parts[0])] = count
    }
    self.counts = counts
  }

  /// Writes the record with one work per line, so that a diff shows which works changed.
  func write(to file: URL) throws {
    let head = Machine.combination.map { "# \($0.name)\t\($0.value)" }
    let steady = counts.filter { !Self.unsteady.contains($0.key) }
    let lines = steady.sorted { $0.key < $1.key }.map { "\($0.key)\t\(String(format: "%.0f", $0.value))" }
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try ((head + lines).joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
  }

  /// The counts of a work, now and in the record.
  struct Row {
    let name: String
    let count: Double?
    let recorded: Double?
    var change: Double? {
      guard let count, let recorded else { return nil }
      return count / recorded - 1
    }

    /// The failure of the work; nil if there is none. A work that the record does not have yet is not a failure.
    var failure: String? {
      if count == nil { return "\(name) is in the record, and was not counted" }
      guard let change, change > CountRecord.tolerance(of: name) else { return nil }
      return "\(name) takes \(String(format: "%.1f", change * 100)) % more instructions than the record has"
    }
  }

  /// Returns the counts beside those of the record, if there is one.
  /// - Parameter isWhole: Whether all works were counted, so that a work of the record without a count is reported.
  static func rows(_ counts: [String: Double], beside record: CountRecord?, isWhole: Bool) -> [Row] {
    let missed = isWhole ? (record?.counts.keys).map { Set($0).subtracting(counts.keys) } ?? [] : []
    return (Array(counts.keys) + missed).sorted().map { name in
      Row(name: name, count: counts[name], recorded: record?.counts[name])
    }
  }

  static func markdown(_ rows: [Row]) -> String {
    func text(_ count: Double?) -> String { count.map { String(format: "%.0f", $0) } ?? "" }
    let head = ["| work | instructions | record | change, % | |", "|---|--:|--:|--:|---|"]
    let lines = rows.map { row in
      "| \(row.name) | \(text(row.count)) | \(text(row.recorded)) "
        + "| \(row.change.map { String(format: "%+.2f", $0 * 100) } ?? "") | \(row.failure == nil ? "" : "over") |"
    }
    return (head + lines).joined(separator: "\n")
  }
}
