/// The numbers of instructions, by the names of the works.
struct Counts {
  var baseline: [String: Double] = [:]
  var framework: [String: Double] = [:]

  /// Returns the ratio to C; nil unless both sides were counted.
  func ratio(_ comparison: Comparison) -> Double? {
    guard let baseline = baseline[comparison.baseline], let framework = framework[comparison.workload] else {
      return nil
    }
    return framework / baseline
  }

  /// Returns the instructions of one operation.
  func each(_ operation: OperationBudget) -> Double? {
    framework[operation.workload].map { $0 / operation.countedRepetitions }
  }
}

extension Budget {
  /// Whether the work's instructions are counted.
  var isCounted: Bool { !isLarge && !uncounted.contains(workload) }
}

private let uncounted: Set<String> = [
  // The works of several threads, whose instructions depend on how the threads meet.
  "C-reader", "await-perform",
  // A difference of two times.
  "ordered-part",
  // Works that take minutes under callgrind.
  "merge-100k", "scattered-updates", "scattered-deletes", "open-1000-new", "open-1000-existing",
  "results-insert-100000", "results-insert-all-100000", "results-rename-100000", "results-rename-all-100000",
  "results-paged-insert-100000",
  "text-order-umlauts-100000", "large-save-100000", "large-save-300000",
  // Works that take as long as those beside them, with the same code.
  "results-listeners-10", "results-insert-all-10000", "results-rename-all-10000",
  // What can be done once in a process.
  "open-50-first",
]

extension Budgets {
  /// Returns the counted processes of one side, with the names of the works in each process.
  func counted(_ side: Programs.Side) -> [(process: String, names: [String])] {
    let lines: [(process: String, name: String)]
    let compared = comparisons.filter(\.isCounted)
    switch side {
    case .baseline: lines = compared.map { ($0.process, $0.baseline) }
    case .framework:
      lines =
        compared.map { ($0.process, $0.workload) }
        + operations.filter(\.isCounted).map { ($0.process, $0.workload) }
    }
    var all: [(process: String, names: [String])] = []
    for line in lines {
      if let index = all.firstIndex(where: { $0.process == line.process }) {
        if !all[index].names.contains(line.name) { all[index].names.append(line.name) }
      } else {
        all.append((line.process, [line.name]))
      }
    }
    return all
  }
}
