/// The tables of one size.
struct Tables {
  let results: ResultTable
  let operations: OperationTable
  let own: SelfComparisonTable
  let memory: MemoryTable
  private let isLarge: Bool

  /// Those of the large data sets, or those of all others.
  init(_ budgets: Budgets, _ measured: Results, isLarge: Bool) throws {
    self.isLarge = isLarge
    results = try ResultTable(budgets.comparisons.filter { $0.isLarge == isLarge }, measured)
    operations = try OperationTable(budgets.operations.filter { $0.isLarge == isLarge }, measured)
    own = try SelfComparisonTable(budgets.own.filter { $0.isLarge == isLarge }, measured)
    memory = try MemoryTable(budgets.memory.filter { $0.isLarge == isLarge }, measured)
  }

  var isWithinBudget: Bool {
    results.rows.allSatisfy(\.isWithinBudget) && operations.rows.allSatisfy(\.isWithinBudget)
      && own.rows.allSatisfy(\.isWithinBudget) && memory.rows.allSatisfy(\.isWithinBudget)
  }

  var verdict: String {
    isWithinBudget ? "All figures are within their budgets." : "Not all figures are within budget."
  }

  var resultsMarkdown: String { results.markdown(showsMemory: isLarge) }

  /// The tables that have lines.
  var all: [String] {
    [
      results.rows.isEmpty ? nil : resultsMarkdown, operations.rows.isEmpty ? nil : operations.markdown,
      own.rows.isEmpty ? nil : own.markdown, memory.rows.isEmpty ? nil : memory.markdown,
    ].compactMap { $0 }
  }
}
