import Foundation
import FuzzSupport
import Testing

/// Runs operations on stores while the N-th system call fails, once or from then on. The operation must succeed or report an
/// error, and the store must be in its old or its new state. A second try without faults must lead to the new state.
///
/// By default the test runs 20 cases of eight operations. With `SOAK=10000` it runs all calls, kinds and failure modes of all
/// operations; with `FUZZ_STATE` it continues where it was stopped. `OPERATIONS=save-WAL,backup-WAL` selects operations.
@Suite struct FailingCallsTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test(.enabled(if: PreloadedLibrary.url != nil, "there is no C compiler to make the library that makes calls fail"))
  func whateverFailsIsReported() throws {
    let worker = try FaultWorker(try #require(PreloadedLibrary.url))
    let campaign = FuzzCampaign("failing calls", cases: 20)
    let cases = try Self.cases(worker, campaign)
    print("failing calls: \(cases.count) cases in all")
    var number = campaign.numbers.lowerBound, outcomes: [String: Int] = [:]
    try campaign.run { _ in
      defer { number += 1 }
      guard number < cases.count else { return }
      let answer = try worker.ask("case \(cases[number])")
      for problem in answer.problems { Issue.record("\(cases[number]): \(answer.text): \(problem)") }
      let isKnown = answer.text.hasPrefix("success") || answer.text.hasPrefix("not reached")
      outcomes[isKnown ? String(answer.text.prefix { $0 != "," }) : "reported", default: 0] += 1
    }
    print("failing calls: \(outcomes)")
  }

  /// Returns all cases in the order in which they are run.
  private static func cases(_ worker: FaultWorker, _ campaign: FuzzCampaign) throws -> [String] {
    let modes = pairs(try worker.ask("modes").text)
    // The numbers of calls are saved, because they may differ from run to run, but the cases of a campaign must stay the same.
    let state = environment["FUZZ_STATE"].map {
      URL(fileURLWithPath: $0, isDirectory: true).appendingPathComponent("failing-calls.counts")
    }
    let noted = state.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
    let lines = try noted ?? counts(worker, campaign)
    if let state, noted == nil {
      try FileManager.default.createDirectory(
        at: state.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(lines.utf8).write(to: state)
    }
    let cases = lines.split(separator: "\n").flatMap { line -> [String] in
      guard let name = line.split(separator: " ").first else { return [] }
      return pairs(String(line.dropFirst(name.count))).flatMap { kind, count in
        (1...max(1, Int(count) ?? 0)).prefix(Int(count) ?? 0).flatMap { number in
          (modes.first { $0.0 == kind }?.1.split(separator: ",") ?? []).map { "\(name) \(kind) \(number) \($0)" }
        }
      }
    }
    return cases.enumerated().sorted { campaign.caseSeed($0.offset) < campaign.caseSeed($1.offset) }.map(\.element)
  }

  /// Returns a line for each operation: its name, and the number of calls of each kind that it makes.
  private static func counts(_ worker: FaultWorker, _ campaign: FuzzCampaign) throws -> String {
    var names = try worker.ask("names").text.split(separator: " ").map(String.init)
    if let chosen = environment["OPERATIONS"]?.split(separator: ",").map(String.init) {
      names = names.filter(chosen.contains)
    } else if environment["SOAK"] == nil {
      names = Array(names.enumerated().sorted { campaign.caseSeed($0.offset) < campaign.caseSeed($1.offset) }.prefix(8))
        .map(\.element)
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
