import Foundation
import FuzzSupport
import Testing

/// The cases of a campaign: an operation, a kind of call, the number of the call, and what happens at it.
struct FaultCaseList {
  private static let environment = ProcessInfo.processInfo.environment

  let worker: FaultWorker
  let campaign: FuzzCampaign
  /// The worker's order that tells what can happen at each kind of call.
  let modes: String
  /// Whether the operations and the kinds of calls take turns, so that kinds with few calls are not met last.
  let takesTurns: Bool

  /// Runs the campaign's cases, records their problems, and prints how often there was which outcome.
  /// - Parameter kind: the kind of an answer's outcome.
  func run(_ kind: (String) -> String) throws {
    let cases = try cases()
    print("\(campaign.name): \(cases.count) cases in all")
    var number = campaign.numbers.lowerBound, outcomes: [String: Int] = [:]
    try campaign.run { _ in
      defer { number += 1 }
      guard number < cases.count else { return }
      let answer = try worker.ask("case \(cases[number])")
      for problem in answer.problems { Issue.record("\(cases[number]): \(answer.text): \(problem)") }
      outcomes[kind(answer.text), default: 0] += 1
    }
    print("\(campaign.name): \(outcomes)")
  }

  /// Returns all cases in the order in which they are run.
  private func cases() throws -> [String] {
    let modes = Self.pairs(try worker.ask(modes).text)
    // The numbers of calls are saved, because they may differ from run to run, but the cases of a campaign must stay the same.
    let state = Self.environment["FUZZ_STATE"].map {
      URL(fileURLWithPath: $0, isDirectory: true)
        .appendingPathComponent(campaign.name.replacingOccurrences(of: " ", with: "-") + ".counts")
    }
    let noted = state.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
    let lines = try noted ?? counts()
    if let state, noted == nil {
      try FileManager.default.createDirectory(
        at: state.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(lines.utf8).write(to: state)
    }
    let groups = lines.split(separator: "\n").flatMap { line -> [[String]] in
      guard let name = line.split(separator: " ").first else { return [] }
      return Self.pairs(String(line.dropFirst(name.count))).map { kind, count in
        (0..<(Int(count) ?? 0)).flatMap { number in
          (modes.first { $0.0 == kind }?.1.split(separator: ",") ?? []).map { "\(name) \(kind) \(number + 1) \($0)" }
        }
      }
    }
    if takesTurns {
      let turns = groups.flatMap { shuffled($0).enumerated().map { (turn: $0.offset, text: $0.element) } }
      return shuffled(turns).enumerated().sorted { ($0.element.turn, $0.offset) < ($1.element.turn, $1.offset) }
        .map(\.element.text)
    }
    return shuffled(groups.flatMap { $0 })
  }

  private func shuffled<Element>(_ elements: [Element]) -> [Element] {
    elements.enumerated().sorted { campaign.caseSeed($0.offset) < campaign.caseSeed($1.offset) }.map(\.element)
  }

  /// Returns a line for each operation: its name, and the number of calls of each kind that it makes.
  private func counts() throws -> String {
    var names = try worker.ask("names").text.split(separator: " ").map(String.init)
    if let chosen = Self.environment["OPERATIONS"]?.split(separator: ",").map(String.init) {
      names = names.filter(chosen.contains)
    } else if Self.environment["SOAK"] == nil {
      names = Array(shuffled(names).prefix(8))
    }
    try #require(!names.isEmpty, "no operation has such a name")
    return try names.map { name in
      let answer = try worker.ask("counts \(name)")
      for problem in answer.problems { Issue.record("\(name): \(problem)") }
      return "\(name) \(answer.text)"
    }.joined(separator: "\n")
  }

  private static func pairs(_ text: String) -> [(String, String)] {
    text.split(separator: " ").compactMap { pair in
      let parts = pair.split(separator: "=")
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }
}
