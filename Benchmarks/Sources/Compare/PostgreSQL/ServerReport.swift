import Foundation

/// The tables over a server, and their section of RESULTS.md.
struct ServerReport {
  struct Row {
    let line: ServerLine
    let baseline: Double
    let framework: Double
    /// The ratio of each peer to C, if the peer has a counterpart.
    let peers: [Double?]
    var ratio: Double { framework / baseline }
    var verdict: Verdict { Verdict(ratio, goal: line.goal, budget: line.budget) }
  }

  static let title = "## Over a PostgreSQL server"

  let rows: [Row]
  private let peers: [String]
  private let roundTrips: [Double]
  private let flights: [Programs.Side: [String: HandshakeRun.Figures]]

  /// Computes the medians of the measurements, and checks that both sides gave the same answer.
  init(
    _ lines: [ServerLine], _ results: Results, _ flights: [Programs.Side: [String: HandshakeRun.Figures]],
    roundTrips: [Double]
  ) throws {
    self.roundTrips = roundTrips
    self.flights = flights
    peers = results.peers.map(\.name)
    rows = try lines.map { line in
      guard let baseline = results.baseline[line.baseline.name], let framework = results.framework[line.framework.name]
      else { throw CompareError("\(line.framework.name) was not measured on both sides") }
      guard let expected = baseline.answer, framework.answer == expected else {
        throw CompareError(
          "\(line.framework.name): \(baseline.answer ?? -1) in C, \(framework.answer ?? -1) in the framework")
      }
      let peers = try results.peers.map { peer -> Double? in
        guard let samples = peer.samples[line.framework.name] else { return nil }
        guard samples.answer == expected else {
          throw CompareError("\(line.framework.name): \(expected) in C, \(samples.answer ?? -1) in \(peer.name)")
        }
        return samples.median / baseline.median
      }
      return Row(line: line, baseline: baseline.median, framework: framework.median, peers: peers)
    }
  }

  var isWithinBudget: Bool { rows.allSatisfy { $0.verdict != .over } }

  /// The table of the clients' CPU times.
  var ratios: String {
    let head = [
      "| client's CPU | C, ms | framework, ms | ratio | goal | verdict |" + peers.map { " \($0) to C |" }.joined(),
      "|---|--:|--:|--:|--:|---|" + String(repeating: "--:|", count: peers.count),
    ]
    let lines = rows.map { row in
      let figures = [row.baseline, row.framework].map { String(format: $0 < 10 ? "%.3f" : "%.1f", $0) }
      return "| \(row.line.title) | \(figures[0]) | \(figures[1]) | \(String(format: "%.2f", row.ratio)) "
        + "| \(row.line.goal) | \(row.verdict.rawValue) |"
        + row.peers.map { $0.map { String(format: " %.1f |", $0) } ?? "  |" }.joined()
    }
    return (head + lines).joined(separator: "\n")
  }

  /// The table of flights, and of elapsed times behind delays.
  var flightTable: String {
    let delays = roundTrips.map { "\($0.formatted()) ms" }
    let head = [
      "| behind a proxy | flights, C | framework |"
        + delays.map { " round trip of \($0): C, ms | framework |" }.joined(),
      "|---|--:|--:|" + String(repeating: "--:|", count: 2 * delays.count),
    ]
    let lines = rows.compactMap { row -> String? in
      guard let baseline = flights[.baseline]?[row.line.baseline.name],
        let framework = flights[.framework]?[row.line.framework.name]
      else { return nil }
      let times = zip(baseline.elapsed, framework.elapsed).map { c, own in
        [c, own].map { " \(String(format: $0 < 10 ? "%.2f" : "%.0f", $0)) |" }.joined()
      }
      return "| \(row.line.title) | \(baseline.flights) | \(framework.flights) |" + times.joined()
    }
    return (head + lines).joined(separator: "\n")
  }

  /// Returns the section of the results, with the command, the date and the machine of the measurement.
  func section(rounds: Int, server: String) -> String {
    let command = (["Benchmarks/run"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
    let date = Date().formatted(.iso8601.year().month().day())
    let reached = rows.count { $0.verdict == .reached }
    return """
      \(Self.title)
      The store in a PostgreSQL server beside C over libpq: the same work over tables of the same layout on the same server, \
      which the run starts for itself, in turns. Times of CPU are the client's process alone; medians. A flight is what the \
      client sends before it waits. Behind the proxy each work was done once: what else the machine does shows in these \
      times, and the proxy takes its own for each message.

      Made by `\(command)` on \(date), \(rounds) rounds; PostgreSQL \(server), fsync off, on a Unix socket.

      \(Machine.facts.map { "- \($0)" }.joined(separator: "\n"))

      \(ratios)

      \(reached) of \(rows.count) figures reach their goals.

      \(flightTable)
      """
  }
}
