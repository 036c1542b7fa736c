import Foundation

extension TestProgram {
  static let search = TestProgram(
    id: "search", title: "Searches of places",
    summary:
      "Searches sightings in six ways, compares places in fifteen, sorts them in four, and keeps canonical texts in three.",
    executable: "Search",
    options: [
      TestOption(name: "count", title: "Sightings", kind: .number(100...200_000, byDefault: 60_000)),
      TestOption(
        name: "search", title: "Search for", help: "The beginning of a word in the places' names.",
        kind: .word(byDefault: "mala")),
    ],
    loadsBefore: false, series: RunReports.search)
}

extension RunReports {
  private struct SearchReport: Decodable {
    struct Search: Decodable {
      var way: String
      var found: Int
      var cost: Cost
    }

    struct Rung: Decodable {
      var comparison: String
      var folding: String
      var found: Int
      var scanned: Cost
      var indexed: Cost
      var indexes: [String]
      var inMemory: Cost

      var name: String { comparison + folding }
    }

    struct Sorting: Decodable {
      var order: String
      var inStore: Cost
      var misplaced: Int
    }

    struct Keeping: Decodable {
      var keeper: String
      var changing: Cost
      var wrongAfterBatchUpdate: Int
    }

    var searches: [Search]
    var ladder: [Rung]
    var sortings: [Sorting]
    var keepings: [Keeping]
  }

  private static let ways = [
    "folded": "place CONTAINS[cd]", "canonical": "canonicalPlace CONTAINS", "signature": "a hash of the words",
    "tokens": "tokens, an entity", "words": "tokens in a second store", "ownStack": "tokens in a stack of their own",
  ]

  /// A series for each part of the program.
  @Sendable static func search(_ json: Data) throws -> [RunRecord.Series] {
    let report = try decoded(SearchReport.self, json)
    return [
      .init(
        title: "Searches",
        measures: report.searches.map { $0.cost.measure(ways[$0.way] ?? $0.way, "\($0.found) found") }),
      .init(
        title: "Without an index", measures: report.ladder.map { $0.scanned.measure($0.name, "\($0.found) found") }),
      .init(
        title: "With an index",
        measures: report.ladder.map {
          $0.indexed.measure($0.name, $0.indexes.isEmpty ? "not served" : $0.indexes.joined(separator: ", "))
        }),
      .init(title: "In memory", measures: report.ladder.map { $0.inMemory.measure($0.name, "\($0.found) found") }),
      .init(
        title: "Sorting", measures: report.sortings.map { $0.inStore.measure($0.order, "\($0.misplaced) misplaced") }),
      .init(
        title: "Changing a tenth",
        measures: report.keepings.map {
          $0.changing.measure($0.keeper, "\($0.wrongAfterBatchUpdate) wrong after a batch update")
        }),
    ]
  }
}
