/// A line of a table: what the workloads report, and what has to be started for it.
protocol Budget: Sendable {
  /// The name of the work in RESULTS.md.
  var title: String { get }
  /// The name under which the framework's workload reports.
  var workload: String { get }
  /// What to start.
  var process: String { get }
  /// What the figure is to come to, in the unit of the budget; the budget itself where the design aims at no less.
  var goal: Double { get }
  /// The greatest figure that may be.
  var budget: Double { get }
}

extension Budget {
  /// Whether it takes a million photos.
  var isLarge: Bool { process.hasSuffix("-1M") }
}

/// What is measured in a run.
struct Budgets {
  let comparisons: [Comparison]
  let operations: [OperationBudget]
  let own: [SelfComparison]
  let memory: [MemoryBudget]

  /// All; or those whose names begin with one of `names`.
  init(names: [String] = [], isLarge: Bool) {
    func chosen<Line: Budget>(_ lines: [Line]) -> [Line] {
      lines.filter { line in
        (isLarge || !line.isLarge) && (names.isEmpty || names.contains { line.workload.hasPrefix($0) })
      }
    }
    comparisons = chosen(Comparison.all)
    operations = chosen(OperationBudget.all)
    own = chosen(SelfComparison.all)
    memory = chosen(MemoryBudget.all)
  }

  private var lines: [any Budget] { comparisons + operations + own + memory }

  var isEmpty: Bool { lines.isEmpty }
  var needsLarge: Bool { lines.contains(where: \.isLarge) }

  /// What to start on both sides, in the order of the tables.
  var processes: [String] {
    Self.distinct(comparisons.map(\.process) + memory.filter { $0.baseline != nil }.map(\.process))
  }

  /// What to start of the framework alone.
  var ownProcesses: [String] { Self.distinct(lines.map(\.process)).filter { !processes.contains($0) } }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
