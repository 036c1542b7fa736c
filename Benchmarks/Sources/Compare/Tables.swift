/// The tables for one size of data sets.
struct Tables {
  let results: ResultTable
  let operations: OperationTable
  let own: SelfComparisonTable
  let memory: MemoryTable
  private let rates: RateTable?
  private let isLarge: Bool

  /// Creates the tables of the large data sets, or those of all other data sets.
  init(_ budgets: Budgets, _ measured: Results, _ counts: Counts, isLarge: Bool) throws {
    self.isLarge = isLarge
    results = try ResultTable(budgets.comparisons.filter { $0.isLarge == isLarge }, measured, counts)
    operations = try OperationTable(budgets.operations.filter { $0.isLarge == isLarge }, measured, counts)
    own = try SelfComparisonTable(budgets.own.filter { $0.isLarge == isLarge }, measured)
    memory = try MemoryTable(budgets.memory.filter { $0.isLarge == isLarge }, measured)
    let rates = RateTable(measured)
    self.rates = isLarge || rates.rows.isEmpty ? nil : rates
  }

  var isWithinBudget: Bool {
    !verdicts.contains(.over)
  }

  private var verdicts: [Verdict] {
    results.rows.map(\.verdict) + operations.rows.map(\.verdict) + own.rows.map(\.verdict) + memory.rows.map(\.verdict)
  }

  var verdict: String {
    let reached = verdicts.count { $0 == .reached }
    return "\(reached) of \(verdicts.count) figures reach their goals. "
      + (isWithinBudget ? "All are within their budgets." : "\(verdicts.count { $0 == .over }) are over their budgets.")
  }

  /// The table of results, and the table of rates if it has lines.
  var resultsMarkdown: String {
    [results.markdown(showsMemory: isLarge), rates?.markdown].compactMap { $0 }.joined(separator: "\n\n")
  }

  /// The tables that have lines, as Markdown.
  var all: [String] {
    [
      results.rows.isEmpty ? nil : resultsMarkdown, operations.rows.isEmpty ? nil : operations.markdown,
      own.rows.isEmpty ? nil : own.markdown, memory.rows.isEmpty ? nil : memory.markdown,
    ].compactMap { $0 }
  }
}
