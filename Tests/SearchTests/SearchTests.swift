import CoreData
import ExampleSupport
import Foundation
import Testing
import ToolProcess

@testable import Search

/// `Search` as a user runs it.
@Suite struct SearchTests {
  private static let count = 600
  private static let places = (0..<count).map { SightingRecord(number: $0).place }

  private func report(_ arguments: String...) throws -> Report {
    let tool = try Tool(program: "Search", ["--count", "\(Self.count)", "--json"] + arguments)
    #expect(tool.status == 0, "\(tool.errors)")
    return try JSONDecoder().decode(Report.self, from: Data(tool.output.utf8))
  }

  @Test func everyWayFindsTheSame() throws {
    for sought in ["mala", "f", "SÃO"] {
      let report = try report("--search", sought)
      let found = Self.places.count { $0.words.contains { $0.hasPrefix(sought.canonical) } }
      #expect(found > 0 && report.searches.map(\.way) == Way.allCases)
      for search in report.searches {
        // Inside of a word, too: no other place has these letters there, but for a single one.
        let isOfText = [.folded, .canonical].contains(search.way)
        let expected = isOfText ? Self.places.count { $0.canonical.contains(sought.canonical) } : found
        #expect(search.found == (search.way == .signature ? signed(sought) : expected), "\(search.way) \(sought)")
      }
    }
  }

  /// What the number lets through, and the text then has anywhere.
  private func signed(_ sought: String) -> Int {
    let bits = Signature.ofBeginning(sought)
    return Self.places.count { Signature.of($0) & bits == bits && $0.canonical.contains(sought.canonical) }
  }

  @Test func wordsAreFoundByTheirIndex() throws {
    let report = try report()
    func search(_ way: Way) throws -> Report.Search { try #require(report.searches.first { $0.way == way }) }
    for way in [Way.folded, .canonical, .signature] { #expect(try search(way).cost.statements == 1) }
    #expect(try search(.tokens).statements.contains { $0.indexes == ["Z_Token_byText"] })
    for way in [Way.words, .ownStack] {
      #expect(try search(way).cost.statements == 2)
      #expect(try search(way).statements.contains { $0.indexes.contains("Z_Word_byText") }, "\(way)")
    }
    // Only the rows that are found are read.
    #expect(try search(.folded).cost.rows == search(.folded).found)
  }

  @Test func theLadderAgreesWithSwift() throws {
    let report = try report()
    #expect(report.ladder.count == Comparison.allCases.count * Folding.allCases.count)
    for rung in report.ladder {
      #expect(rung.found > 0, "\(rung.comparison) \(rung.folding)")
      // A more tolerant comparison finds no fewer.
      let plain = try #require(report.ladder.first { $0.comparison == rung.comparison && $0.folding == .none })
      #expect(rung.found >= plain.found)
      let isServed = rung.folding == .none && [.equal, .beginsWith].contains(rung.comparison)
      #expect(
        (rung.indexes == ["Z_Sighting_byPlace"]) == isServed,
        "\(rung.comparison)\(rung.folding.rawValue) \(rung.indexes)")
    }
    func found(_ comparison: Comparison) -> Int? {
      report.ladder.first { $0.comparison == comparison && $0.folding == .none }?.found
    }
    #expect(report.plainSQLite[0].found == found(.beginsWith) && report.plainSQLite[1].found == found(.contains))
  }

  @Test func ordersAreThoseOfTheirNames() throws {
    let report = try report()
    let first = { (order: Order) in report.sortings.first { $0.order == order } }
    #expect(first(.bytes)?.first == Self.places.min { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    #expect(first(.localizedStandard)?.misplaced == 0)
    #expect(try #require(first(.bytes)).misplaced > 0)
  }

  @Test func canonicalTextsAreKeptBySome() throws {
    let report = try report()
    #expect(report.keepings.map(\.keeper) == Keeper.allCases)
    for keeping in report.keepings {
      #expect(keeping.changed == Self.count / 10 && keeping.wrongAfterSave == 0)
      #expect(keeping.wrongBeforeSave == (keeping.keeper == .byHand ? 0 : keeping.changed), "\(keeping.keeper)")
      // A batch update calls no code of the program's.
      #expect(keeping.wrongAfterBatchUpdate == (keeping.keeper == .derived ? 0 : keeping.changed), "\(keeping.keeper)")
    }
  }

  @Test func theLastLetterIsAnswered() throws {
    let report = try report()
    #expect(report.typing.map(\.typed) == ["m", "ma", "mal", "mala"])
    #expect(report.typing.last?.found == Self.places.count { $0.canonical.contains("mala") })
    #expect(report.mistakes == Mistakes(noted: 5, foundByTemporary: 0, foundByPermanent: 5))
  }

  @Test func theTextHasALineForEach() throws {
    let tool = try Tool(program: "Search", ["--count", "100", "--search", "fal"])
    #expect(tool.status == 0, "\(tool.errors)")
    for way in Way.allCases { #expect(tool.output.contains("\n\(way.title) ")) }
    for comparison in Comparison.allCases { #expect(tool.output.contains("\n\(comparison.rawValue)[cd] ")) }
    for line in ["Sorted by", "The canonical text", "Typed, ", "Of 5 URIs"] {
      #expect(tool.output.contains("\n\(line)"))
    }
    #expect(tool.errors.contains("] 100%  100 of 100"))
  }

  @Test func wrongArgumentsAreExplained() throws {
    let few = try Tool(program: "Search", ["--count", "3"])
    #expect(few.status == 64 && few.errors.contains("--count must be 100 to 1000000, not 3."))
    let words = try Tool(program: "Search", ["--search", "two words"])
    #expect(words.status == 64 && words.errors.contains("--search must be letters of one word, not “two words”."))
  }
}
