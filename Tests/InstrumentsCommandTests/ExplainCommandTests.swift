import Foundation
import InstrumentsAnalysis
import Testing
import ToolProcess

/// `coredata explain`: what SQLite does for a fetch.
@Suite struct ExplainCommandTests {
  /// A folder with stores of 300 photos, with and without indexes.
  private final class Stores {
    let folder: URL

    init(_ indexes: String...) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "ExplainCommandTests-\(UUID().uuidString)")
      let tool = try Tool(
        program: "Photos",
        ["--count", "300", "--design", "single", "--rounds", "1", "--json", "--folder", folder.path]
          + indexes.flatMap { ["--indexes", $0] })
      try #require(tool.status == 0, "\(tool.errors)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func explain(_ indexes: String, _ options: String...) throws -> Tool {
      let tool = try Tool(
        ["explain", folder.appending(path: "single-\(indexes).sqlite").path, "Photo"] + options)
      try #require(tool.status == 0, "\(tool.errors)")
      return tool
    }
  }

  private func rows(_ tool: Tool) throws -> [String: Int] { try #require(try tool.json()["rows"] as? [String: Int]) }

  @Test func theMissingIndexIsTheOneThatThenServes() throws {
    let stores = try Stores("none", "compound")
    let without = try stores.explain("none", "--sort", "-likes,-date", "--format", "json").json()
    #expect(without["missing"] as? [String] == ["likes", "date"] && without["indexes"] as? [String] == [])
    #expect(without["steps"] as? [String] == ["reads every row of Photo", "sorts what it found"], "\(without)")
    let with = try stores.explain("compound", "--sort", "-likes,-date", "--format", "json")
    let json = try with.json()
    #expect(json["missing"] == nil && json["indexes"] as? [String] == ["Z_Photo_byLikesAndDate"])
    #expect(json["steps"] as? [String] == ["reads every row of Photo, in the order of index Z_Photo_byLikesAndDate"])
    #expect(json["advice"] as? String == "none is missing")
    #expect(try rows(with) == ["total": 300, "examined": 300, "found": 300])
  }

  @Test func rowsAreEstimatedByWhatTheIndexHas() throws {
    let stores = try Stores("none", "compound")
    for predicate in ["likes == 3", "likes > 500"] {
      let scan = try rows(stores.explain("none", "--predicate", predicate, "--format", "json"))
      #expect(scan["examined"] == 300, "\(predicate)")
      let search = try rows(stores.explain("compound", "--predicate", predicate, "--format", "json"))
      #expect(search["found"] == scan["found"] && search["total"] == 300)
      #expect((1..<300).contains(search["examined"] ?? 0) && search["examined"] ?? 0 >= search["found"] ?? 0)
    }
    let key = try rows(stores.explain("none", "--predicate", "SELF == 'Photo/p7'", "--format", "json"))
    #expect(key == ["total": 300, "examined": 1, "found": 1])
    let limited = try stores.explain("none", "--limit", "5", "--no-rows", "--format", "json").json()
    #expect(limited["rows"] == nil && (limited["sql"] as? String)?.contains("LIMIT") == true)
  }

  @Test func textHasSqlPlanIndexAndRows() throws {
    let stores = try Stores("single")
    let text = try stores.explain("single", "--predicate", "likes == 3", "--sort", "date").output
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("SELECT ") == true && lines.contains("?1 = 3"), "\(text)")
    #expect(lines.contains("Plan:"))
    #expect(lines.contains("  finds rows of Photo by index Z_Photo_byLikes: likes = ?"), "\(text)")
    #expect(lines.contains("  sorts what it found"))
    #expect(lines.contains("Index: Z_Photo_byLikes; missing: an index of Photo by likes, date"), "\(text)")
    #expect(lines.last?.hasPrefix("Rows: looks at about ") == true && lines.last?.contains(" of 300, finds ") == true)
    let count = try stores.explain("single", "--predicate", "likes == 3", "--count").output
    #expect(count.hasPrefix("SELECT COUNT("), "\(count)")
  }

  @Test func theStoreIsNotTouchedAndErrorsAreExplained() throws {
    let stores = try Stores("none")
    let store = stores.folder.appending(path: "single-none.sqlite")
    let before = try Data(contentsOf: store),
      files = try FileManager.default.contentsOfDirectory(atPath: stores.folder.path)
    _ = try stores.explain("none", "--predicate", "likes > 1")
    #expect(try Data(contentsOf: store) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: stores.folder.path).sorted() == files.sorted())
    let entity = try Tool("explain", store.path, "Nothing")
    #expect(entity.status == 1 && entity.errors.contains("has no entity “Nothing”"), "\(entity.errors)")
    let predicate = try Tool("explain", store.path, "Photo", "--predicate", "likes >")
    #expect(predicate.status == 1 && predicate.errors.contains("The predicate cannot be read."), "\(predicate.errors)")
    let empty = try Tool("explain", store.path, "Photo", "--predicate", " ")
    #expect(empty.status == 64 && empty.errors.contains("The predicate is empty."))
  }

  @Test(
    arguments: [
      ("SCAN t1 USING COVERING INDEX x", "reads every row of Book, from index x alone"),
      ("SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)", "finds rows of ZAUTHOR by their keys"),
      ("  SEARCH t1 USING INDEX x (ZTITLE=? AND ZPAGES>?)", "  finds rows of Book by index x: title = ?, ZPAGES > ?"),
      (
        "SEARCH t1 USING AUTOMATIC COVERING INDEX (ZTITLE=?)",
        "makes an index of Book for this statement alone, and finds rows by title = ?"
      ),
      ("SCAN j VIRTUAL TABLE INDEX 1:", "goes through a list of values"),
      ("USE TEMP B-TREE FOR GROUP BY", "sorts what it found into groups"),
      ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", "sorts what it found among equals"),
      ("USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY", "sorts what it found by the last 2 terms"),
      ("CORRELATED SCALAR SUBQUERY 1", "for each row"), ("SOMETHING NEW", "SOMETHING NEW"),
    ])
  func stepsInWords(_ step: String, _ words: String) {
    let plan = PlanWords(
      "SELECT t0.Z_PK FROM ZAUTHOR t0 JOIN ZBOOK t1 ON t1.ZAUTHOR = t0.Z_PK", entity: { $0 == "ZBOOK" ? "Book" : nil },
      property: { $0 == "ZBOOK" && $1 == "ZTITLE" ? "title" : nil })
    #expect(plan.lines(of: [step]) == [words])
  }
}
