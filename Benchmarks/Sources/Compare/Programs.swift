import Foundation

/// The two programs that do the work, and the folder of their stores.
struct Programs {
  /// The sides of the comparison.
  enum Side: String, CaseIterable {
    /// The programs of C.
    case baseline
    /// The programs of the framework.
    case framework = "workloads"
  }

  let folder: String
  private let place = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

  func url(_ side: Side) -> URL { place.appending(path: side.rawValue) }

  /// Loads the stores.
  /// - Parameter forCounting: Whether to leave out the stores that are too large for callgrind.
  func prepare(_ sides: [Side] = Side.allCases, needsLarge: Bool = false, forCounting: Bool = false) throws {
    for preparation in needsLarge ? ["prepare", "prepare-1M"] : ["prepare"] {
      say("Preparing the stores: \(preparation)")
      for side in sides {
        _ = try Measurement.run(url(side), [preparation, folder] + (forCounting ? ["counted"] : []))
      }
    }
  }

  /// Measures all processes, round after round.
  func measure(_ budgets: Budgets, peers: [Peer] = [], rounds: Int) throws -> Results {
    var results = Results()
    for round in 1...rounds {
      for process in budgets.processes {
        say("Round \(round) of \(rounds): \(process)")
        try results.add(baseline: Measurement.run(url(.baseline), [process, folder]))
        try results.add(framework: Measurement.run(url(.framework), [process, folder]))
        for peer in peers where peer.has(process) {
          try results.add(peer, peer.measure(process, folder: folder))
        }
      }
      for process in budgets.ownProcesses {
        say("Round \(round) of \(rounds): \(process)")
        try results.add(framework: Measurement.run(url(.framework), [process, folder]))
        for peer in peers where peer.has(process) {
          try results.add(peer, peer.measure(process, folder: folder))
        }
      }
    }
    return results
  }

  /// Counts the instructions of the works on the given sides.
  /// - Parameter chosen: The works to count; nil for all.
  func count(_ budgets: Budgets, _ sides: [Side] = Side.allCases, only chosen: Set<String>? = nil) throws -> Counts {
    var counts = Counts()
    for side in sides {
      for (process, names) in budgets.counted(side) where chosen.map({ !$0.isDisjoint(with: names) }) ?? true {
        say("Counting instructions: \(process), \(side.rawValue)")
        let counted = try Callgrind.count(url(side), [process, folder], names)
        switch side {
        case .baseline: counts.baseline.merge(counted) { _, later in later }
        case .framework: counts.framework.merge(counted) { _, later in later }
        }
      }
    }
    return counts
  }

  private func say(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
