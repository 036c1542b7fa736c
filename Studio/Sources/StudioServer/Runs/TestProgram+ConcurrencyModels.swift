import Foundation

extension TestProgram {
  static let contexts = TestProgram(
    id: "contexts", title: "Contexts in eight arrangements",
    summary:
      "Imports songs beside a list on the main queue and somebody who edits, and takes how long the list stood still.",
    executable: "ConcurrencyModels",
    options: [
      TestOption(
        name: "only", title: "Parts", help: "None chosen: all.",
        kind: .choices([
          ("arrangements", "the import in each arrangement"), ("saves", "one large save and small ones"),
          ("levels", "a fetch through levels"), ("waiting", "performAndWait and await perform"),
        ])),
      TestOption(
        name: "arrangement", title: "Arrangements", help: "None chosen: all eight.",
        kind: .choices([
          ("one", "one context"), ("merging", "two on one coordinator, merged from did-save"),
          ("refetching", "two, and the list fetches again"), ("child", "parent and child"),
          ("levels", "three levels, the writer saves later"), ("coordinators", "two coordinators on one file"),
          ("automatic", "the list's context merges by itself"), ("history", "history, by token"),
        ])),
      TestOption(name: "count", title: "Songs", kind: .number(1...200_000, byDefault: 20_000)),
      TestOption(name: "part", title: "Songs in a save", kind: .number(1...200_000, byDefault: 1000)),
      TestOption(
        name: "pause", title: "Milliseconds between edits", help: "0: nobody edits.",
        kind: .number(0...60_000, byDefault: 50)),
    ],
    loadsBefore: false, series: RunReports.contexts)
}

extension RunReports {
  private struct ContextsReport: Decodable {
    struct Stalls: Decodable {
      var longest: Double
      var percentile99: Double
    }
    struct Run: Decodable {
      var arrangement: String
      var stalls: Stalls
      var written: Double
      var listed: Double
      /// The peak memory in MB of 1,048,576 bytes.
      var memory: Double
      var statements: Int
      var faults: Int
      var misses: Int
      var changes: Int
      var edits: Int
    }
    struct Saves: Decodable {
      var part: Int
      var saves: Int
      var stalls: Stalls
    }
    struct Level: Decodable {
      var title: String
      var cost: Cost
      var objectsAbove: Int
    }
    struct Waiting: Decodable {
      var title: String
      var stalls: Stalls
    }
    var runs: [Run]
    var saves: [Saves]
    var levels: [Level]
    var waiting: [Waiting]
  }

  private static let arrangements = [
    "one": "one context", "merging": "two, merging", "refetching": "two, fetching again", "child": "parent and child",
    "levels": "three levels", "coordinators": "two coordinators", "automatic": "merging by itself",
    "history": "history, by token",
  ]

  @Sendable static func contexts(_ json: Data) throws -> [RunRecord.Series] {
    let report = try decoded(ContextsReport.self, json)
    func series(_ title: String, _ seconds: (ContextsReport.Run) -> Double) -> RunRecord.Series {
      .init(
        title: title,
        measures: report.runs.map { .init(name: arrangements[$0.arrangement] ?? $0.arrangement, seconds: seconds($0)) })
    }
    var all: [RunRecord.Series] = []
    if !report.runs.isEmpty {
      // What is counted stands beside the time of the whole import.
      let imports = report.runs.map { run in
        RunRecord.Measure(
          name: arrangements[run.arrangement] ?? run.arrangement, seconds: run.listed, statements: run.statements,
          faults: run.faults, cacheHits: run.faults - run.misses, bytes: Int(run.memory * 1_048_576),
          result: "\(run.changes) changes told, \(run.edits) edits")
      }
      all += [
        .init(title: "until all is in the list", measures: imports), series("until all is on disk", \.written),
        series("longest stall of the main queue", \.stalls.longest), series("99th percentile", \.stalls.percentile99),
      ]
    }
    let others =
      report.saves.map {
        RunRecord.Measure(
          name: "slow list, saves of \($0.part)", seconds: $0.stalls.longest, result: "\($0.saves) saves; longest stall"
        )
      }
      + report.levels.map { $0.cost.measure("fetch \($0.title)", "\($0.objectsAbove) objects above") }
      + report.waiting.map {
        RunRecord.Measure(name: $0.title, seconds: $0.stalls.longest, result: "longest stall")
      }
    if !others.isEmpty { all.append(.init(title: "single questions", measures: others)) }
    return all
  }
}
