/// A line of a table of results, with the names that the workloads report, and the processes to start.
protocol Budget: Sendable {
  /// The name of the work in RESULTS.md.
  var title: String { get }
  /// The name under which the framework's workload reports.
  var workload: String { get }
  /// The process to start.
  var process: String { get }
  /// The ratio or time to reach, in the unit of the budget; the budget itself if there is no stricter goal.
  var goal: Double { get }
  /// The greatest figure that is allowed.
  var budget: Double { get }
}

extension Budget {
  /// Whether the work takes a million photos.
  var isLarge: Bool { process.hasSuffix("-1M") }
}

/// The comparisons and measurements of a run.
struct Budgets {
  let comparisons: [Comparison]
  let operations: [OperationBudget]
  let own: [SelfComparison]
  let memory: [MemoryBudget]

  /// Creates all budgets, or those whose workload names begin with one of `names`.
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

  /// The processes to start on both sides, in the order of the tables.
  var processes: [String] {
    Self.distinct(comparisons.map(\.process) + memory.filter { $0.baseline != nil }.map(\.process))
  }

  /// The processes to start only for the framework.
  var ownProcesses: [String] { Self.distinct(lines.map(\.process)).filter { !processes.contains($0) } }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
