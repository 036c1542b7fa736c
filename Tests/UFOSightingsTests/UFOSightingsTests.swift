import CSQLite
import ExampleSupport
import Foundation
import Testing
import ToolProcess

@testable import UFOSightings

/// `UFOSightings` as a user runs it.
@Suite struct UFOSightingsTests {
  private func report(_ arguments: String...) throws -> Report {
    let tool = try Tool(program: "UFOSightings", arguments + ["--json"])
    #expect(tool.status == 0, "\(tool.errors)")
    return try JSONDecoder().decode(Report.self, from: Data(tool.output.utf8))
  }

  /// A folder that is gone when `body` has returned.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "UFOSightingsTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try body(folder)
  }

  /// The rows of a statement, each as one text, by SQLite alone.
  private func rows(_ sql: String, in store: URL) throws -> [String] {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    try #require(sqlite3_open_v2(store.path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let columns = (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
      }
      rows.append(columns.joined(separator: "|"))
    }
    return rows
  }

  @Test func bothWaysToImportGiveTheSameStore() throws {
    try withFolder { folder in
      let count = 1200
      let report = try report("--count", "\(count)", "--folder", folder.path)
      let sql = "SELECT ZIDENTIFIER, ZSHAPE, ZPLACE, ZCANONICALPLACE, ZDATE, ZDURATION FROM ZSIGHTING ORDER BY 1"
      let merged = try rows(sql, in: folder.appending(path: "Sightings.sqlite"))
      #expect(merged.count == count)
      #expect(try merged == rows(sql, in: folder.appending(path: "Naive.sqlite")))
      let expected = (0..<count).map(SightingRecord.init(number:)).map { "\($0.identifier)|\($0.shape)|\($0.place)|" }
      #expect(zip(merged, expected.sorted()).allSatisfy { $0.hasPrefix($1) })

      #expect(report.imports.map(\.how) == [.naive, .merging, .naive, .merging])
      #expect(report.imports.map(\.isAgain) == [false, false, true, true])
      #expect(report.imports.map(\.result.created) == [count, count, 0, 0])
      #expect(report.imports.map(\.result.found) == [0, 0, count, count])
    }
  }

  /// By statements and objects, which do not depend on the machine.
  @Test func theMergeAsksOncePerBatchAndKeepsNothing() throws {
    let count = 2000
    let imports = try report("--count", "\(count)").imports
    let (naive, merging) = (imports[2], imports[3])
    // Nothing is new and nothing has changed: there are only questions.
    #expect(naive.cost.statements == count)
    #expect(merging.cost.statements == 2)
    #expect(imports[1].cost.statements < count + 2 * 10)
    // No more than a batch at once, however long the file is.
    #expect(imports[1].result.mostObjects == 1000 && merging.result.mostObjects == 1000)
  }

  @Test func fourWaysToCountAgree() throws {
    let count = 800
    let report = try report("--count", "\(count)")
    var expected: [String: Int] = [:]
    for number in 0..<count { expected[SightingRecord(number: number).shape, default: 0] += 1 }
    #expect(report.shapes.map(\.how) == ShapeCounter.allCases)
    for counting in report.shapes { #expect(counting.counts == expected, "\(counting.how)") }
    #expect(report.shapes.map(\.cost.statements) == [1, 1, 1 + expected.count, 1])
    #expect(report.shapes.map(\.cost.rows) == [count, count, 2 * expected.count, expected.count])
  }

  @Test func fourWaysToSearchAgree() throws {
    // Written as nobody has it in the data, and not at all.
    for (sought, syllable) in [("MÁLA", "Mála"), ("cave", "Çave"), ("sao", "São"), ("nowhere", "nowhere")] {
      let count = 600
      let report = try report("--count", "\(count)", "--search", sought)
      let expected = (0..<count).filter { SightingRecord(number: $0).place.contains(syllable) }.count
      #expect(report.searches.map(\.how) == SightingSearch.allCases)
      #expect(report.searches.map(\.found) == Array(repeating: expected, count: 4), "\(sought)")
      #expect(expected > 0 || sought == "nowhere")
      // Looking for the words first is the way that an index serves.
      let tokens = try #require(report.searches.last?.statements.first)
      #expect(tokens.indexes == ["Z_Token_byText"] && tokens.missing == nil, "\(tokens.plan)")
      let all = try #require(report.searches.last).statements
      #expect(all.allSatisfy { $0.missing == nil && $0.indexes.allSatisfy { $0.hasPrefix("Z_") } }, "\(all)")
      for search in report.searches.prefix(2) {
        let statement = try #require(search.statements.first)
        #expect(statement.indexes == [])
        #expect(statement.missing == "no index would serve it: every row of Sighting is compared", "\(statement)")
      }
    }
  }

  @Test func everyWordIsATokenOnce() throws {
    try withFolder { folder in
      let report = try report("--count", "700", "--folder", folder.path)
      let store = folder.appending(path: "Sightings.sqlite")
      let places = (0..<700).map { SightingRecord(number: $0).place }
      let words = places.map(TokenIndexer.words)
      #expect(try rows("SELECT ZTEXT FROM ZTOKEN ORDER BY 1", in: store) == Set(words.joined()).sorted())
      #expect(report.indexing?.tokens == Set(words.joined()).count)
      let table = try #require(
        try rows(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z\\__%TOKENS' ESCAPE '\\'", in: store
        )
        .first)
      #expect(try rows("SELECT COUNT(*) FROM \(table)", in: store) == ["\(words.reduce(0) { $0 + $1.count })"])
    }
  }

  @Test func aShippedStoreIsCopiedOnTheFirstRunAlone() throws {
    try withFolder { folder in
      let seed = folder.appending(path: "Seed.sqlite")
      let made = try report("--count", "900", "--make-seed", seed.path)
      #expect(made.seeds.map(\.sightings) == [900] && made.seeds.map(\.isCopied) == [true])
      // One file, which can be shipped with others and cannot be written there.
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Seed.sqlite"])
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: seed.path)
      let bytes = try Data(contentsOf: seed)

      let own = folder.appending(path: "own")
      for isFirst in [true, false] {
        let run = try report("--seed", seed.path, "--folder", own.path, "--search", "são")
        #expect(run.count == 900 && run.imports.isEmpty)
        #expect(run.seeds.map(\.isCopied) == [isFirst])
        #expect(run.shapes.allSatisfy { $0.counts.values.reduce(0, +) == 900 })
        let expected = (0..<900).filter { SightingRecord(number: $0).place.contains("São") }.count
        #expect(run.searches.map(\.found) == Array(repeating: expected, count: 4))
      }
      #expect(try Data(contentsOf: seed) == bytes)
    }
  }

  @Test func theTableHasALineForEach() throws {
    let tool = try Tool(program: "UFOSightings", ["--count", "100"])
    #expect(tool.status == 0, "\(tool.errors)")
    let lines = tool.output.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    let titles = [
      "write JSON", "import: a fetch for each", "import: sorted merge", "import again: a fetch for each",
      "import again: sorted merge", "count by shape: objects", "count by shape: dictionaries",
      "count by shape: a count for each", "count by shape: group by", "index the words", "search: place CONTAINS[cd]",
      "search: canonicalPlace CONTAINS", "search: ANY tokens.text BEGINSWITH",
      "search: tokens, then sightings", "make the seed",
      "first launch: copy the seed, open", "second launch: open",
    ]
    #expect(lines.dropFirst(2).count == titles.count)
    for (line, title) in zip(lines.dropFirst(2), titles) { #expect(line.hasPrefix(title)) }
    #expect(tool.errors.contains("] 100%  100 of 100"))
  }

  @Test func wrongArgumentsAreExplained() throws {
    let none = try Tool(program: "UFOSightings", ["--count", "0"])
    #expect(none.status == 64 && none.errors.contains("--count must be 1 or more, not 0."))
    let both = try Tool(program: "UFOSightings", ["--seed", "a", "--make-seed", "b"])
    #expect(both.status == 64 && both.errors.contains("exclude each other"))
    let missing = try Tool(program: "UFOSightings", ["--seed", "/nowhere/Seed.sqlite"])
    #expect(missing.status == 1 && missing.output.isEmpty)
    #expect(missing.errors.contains("Cannot start with the shipped store /nowhere/Seed.sqlite"), "\(missing.errors)")
  }
}
