import InstrumentsAnalysis
import Testing

@_spi(Store) @testable import OpenCoreData

/// Fetches that an index would serve, those that none would, and rows that nobody read.
@Suite struct IndexFindingTests {
  private static let scan = ["SCAN t0"]
  private static let sort = ["SCAN t0", "USE TEMP B-TREE FOR ORDER BY"]

  private func findings(_ make: (inout MadeRecording) -> Void) -> [Finding] {
    var made = MadeRecording()
    make(&made)
    return RecordingAnalysis(made.recording).findings
  }

  private func fetch(_ detail: String?, _ sort: String?, _ plan: [String]) -> [Finding] {
    findings {
      $0.add(.fetch, ["f()"], entity: "Photo", where: detail, by: sort, sql: "SELECT FROM ZPHOTO t0", plan: plan)
    }
  }

  @Test(
    arguments: [
      ("title == $value", nil, scan, ["title"]),
      ("title == $value AND likes > $value", "date DESC", sort, ["title", "date"]),
      (nil, "likes DESC, date DESC", sort, ["likes", "date"]),
      (nil, "likes DESC, date", sort, ["likes", "date descending"]),
      ("likes IN $values", nil, scan, ["likes"]),
    ] as [(String?, String?, [String], [String])])
  func theMissingIndexIsNamed(_ detail: String?, _ sort: String?, _ plan: [String], _ index: [String]) {
    let found = fetch(detail, sort, plan)
    #expect(found.map(\.kind) == [.missingIndex] && found.first?.index == index, "\(found)")
    #expect(found.first?.caller == "f()" && found.first?.count == 1)
  }

  @Test func whatIsServedIsNot() {
    #expect(fetch(nil, nil, Self.scan).isEmpty)
    #expect(fetch("title == $value", nil, ["SEARCH t0 USING INDEX byTitle (ZTITLE=?)"]).isEmpty)
    #expect(fetch(nil, "title", ["SCAN t0 USING INDEX byTitle"]).isEmpty)
    // Texts that are sorted otherwise than by bytes.
    #expect(fetch(nil, "title (localizedStandardCompare:)", Self.sort).isEmpty)
  }

  @Test(
    arguments: [
      ("title CONTAINS[cd] $value", "title CONTAINS[cd]"), ("title ENDSWITH $value", "title ENDSWITH"),
      ("title LIKE \"*…\"", "title LIKE with a leading wildcard"), ("title LIKE[c] \"…*\"", "title LIKE[c]"),
      ("title ==[c] $value", "title ==[c]"), ("title BEGINSWITH[cd] $value", "title BEGINSWITH[cd]"),
      ("likes < $value OR title MATCHES \"…\"", "title MATCHES"),
    ])
  func comparisonsOfEveryRowAreNamed(_ detail: String, _ words: String) {
    let found = fetch(detail, nil, Self.scan)
    #expect(
      found.map(\.kind) == [.scan] && found.first?.title == "Every row of Photo is compared: \(words)", "\(found)")
  }

  @Test func theCostsOfOneAreAddedUpAndShorterIndexesJoin() {
    let found = findings { made in
      for _ in 0..<3 {
        made.add(.fetch, ["f()"], entity: "Photo", by: "likes, date", rows: 10, sql: "A t0", plan: Self.sort)
        made.add(.fetch, ["g()"], entity: "Photo", by: "likes", rows: 5, sql: "B t0", plan: Self.sort)
        made.add(.fetch, ["g()"], entity: "Photo", by: "date", rows: 1, sql: "C t0", plan: Self.sort)
      }
    }
    #expect(Set(found.compactMap(\.index)) == [["likes", "date"], ["date"]], "\(found)")
    let both = found.first { $0.index?.count == 2 }
    #expect(both?.count == 6 && both?.rows == 45 && both?.caller == "f()")
    // The most expensive comes first.
    #expect(found.first?.index == ["likes", "date"])
  }

  // MARK: Rows

  @Test func rowsThatNobodyRead() {
    func rows(_ faults: Int, _ fired: Int) -> [Finding] {
      findings {
        $0.add(.fetch, ["f()"], entity: "Photo", rows: faults, touches: Recording.Touches(faults: faults, fired: fired))
      }
    }
    let none = rows(100, 0)
    #expect(none.map(\.kind) == [.untouchedRows] && none.first?.rows == 100)
    #expect(none.first?.title == "No objects of Photo are read after they were fetched")
    #expect(none.first?.advice.contains("count(for:)") == true)
    let few = rows(100, 10)
    #expect(few.first?.rows == 90 && few.first?.advice.contains("fetchBatchSize") == true, "\(few)")
    #expect(rows(100, 60).isEmpty && rows(19, 0).isEmpty && rows(100, 300).isEmpty)
  }
}
