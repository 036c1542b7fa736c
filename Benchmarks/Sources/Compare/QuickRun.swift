import Foundation

/// A run that counts instructions of the framework alone, and compares them with the record of this machine's combination.
struct QuickRun {
  let budgets: Budgets
  let programs: Programs
  /// The folder of the records.
  let records: String
  /// Whether everything was to be counted.
  let isWhole: Bool

  /// Counts; or takes what an earlier run has kept.
  func counts(keptIn file: String?) throws -> [String: Double] {
    if let file { return try CountRecord(contentsOf: URL(fileURLWithPath: file)).counts }
    try programs.prepare([.framework], forCounting: true)
    return try programs.count(budgets, [.framework]).framework
  }

  /// Prints the table.
  ///
  /// - Returns: Whether nothing takes more than the record allows. A combination without a record fails in nothing.
  func compare(_ counts: [String: Double]) throws -> Bool {
    let file = CountRecord.file(in: records)
    let isKnown = FileManager.default.fileExists(atPath: file.path)
    let record = isKnown ? try CountRecord(contentsOf: file) : nil
    let rows = CountRecord.rows(counts, beside: record, isWhole: isWhole)
    print(CountRecord.markdown(rows))
    let combination = Machine.combination.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    if record == nil {
      print("\nThere is no record for \(combination): nothing is compared. --record writes one.")
    }
    let failures = rows.compactMap(\.failure)
    if !failures.isEmpty {
      print("\nOver the record of \(combination), \(file.lastPathComponent):")
      for failure in failures { print("- \(failure)") }
    }
    return failures.isEmpty
  }

  /// Writes the record of this machine's combination; what was not counted stays in it.
  func write(_ counts: [String: Double]) throws {
    let file = CountRecord.file(in: records)
    var all = counts
    if !isWhole, let earlier = try? CountRecord(contentsOf: file) {
      all = earlier.counts.merging(counts) { _, later in later }
    }
    try CountRecord(all).write(to: file)
    print("Wrote \(file.path)")
  }
}
