import Foundation

/// A run that counts only the framework's instructions, and compares them with the record of this machine's combination.
struct QuickRun {
  let budgets: Budgets
  let programs: Programs
  /// The folder of the records.
  let records: String
  /// Whether all works are counted.
  let isWhole: Bool

  /// The number of attempts for a work whose first count exceeds the record.
  private static let attempts = 3

  /// Counts instructions, or reads the counts that an earlier run has kept.
  ///
  /// A work whose count exceeds the record is counted again, and the least of its counts is used. Objects are hashed by their
  /// addresses, which differ from process to process, so that the number of collisions in a set of objects differs, too: the
  /// counts of A0 differ by up to two per cent between runs of one program. A work that became slower exceeds the record each
  /// time.
  func counts(keptIn file: String?) throws -> [String: Double] {
    if let file { return try CountRecord(contentsOf: URL(fileURLWithPath: file)).counts }
    try programs.prepare([.framework], forCounting: true)
    var counts = try programs.count(budgets, [.framework]).framework
    let record = try knownRecord()
    for _ in 1..<Self.attempts {
      let over = Set(CountRecord.rows(counts, beside: record, isWhole: false).filter { $0.failure != nil }.map(\.name))
      guard !over.isEmpty else { break }
      let again = try programs.count(budgets, [.framework], only: over).framework
      counts.merge(again.filter { over.contains($0.key) }, uniquingKeysWith: min)
    }
    return counts
  }

  /// Returns the record for this machine's combination; nil if there is none.
  private func knownRecord() throws -> CountRecord? {
    let file = CountRecord.file(in: records)
    return FileManager.default.fileExists(atPath: file.path) ? try CountRecord(contentsOf: file) : nil
  }

  /// Prints the table of the counts and the record.
  ///
  /// - Returns: Whether no work takes more than the record allows; true for a combination without a record.
  func compare(_ counts: [String: Double]) throws -> Bool {
    let file = CountRecord.file(in: records)
    let record = try knownRecord()
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

  /// Writes the record for this machine's combination. Works that were not counted keep their counts.
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
