import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The texts of the catalogue's statements in one dialect, as a file keeps them: `RECORD_STATEMENTS=1` writes it anew.
struct GoldenStatements {
  let url: URL

  /// - Parameter name: of the file in Fixtures/Statements.
  init(_ name: String) {
    url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/Statements/\(name).txt")
  }

  /// Each statement's name, and under it its text and the types of its variables, or why it is refused.
  static func text(of entries: [StatementCatalogue.Entry]) -> String {
    entries.map { entry in
      do {
        let statement = try entry.statement()
        let types = statement.types.isEmpty ? "" : "\n    (\(statement.types.joined(separator: ", ")))"
        return "\(entry.name)\n    \(statement.text)\(types)\n"
      } catch {
        return "\(entry.name)\n    refused: \((error as NSError).localizedDescription)\n"
      }
    }.joined()
  }

  func check(_ text: String) throws {
    if ProcessInfo.processInfo.environment["RECORD_STATEMENTS"] == "1" {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let found = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, (found, expected)) in zip(found, expected).enumerated() where found != expected {
      Issue.record("\(url.lastPathComponent):\(line + 1): expected \(expected), found \(found)")
    }
    #expect(found.count == expected.count)
  }
}

@Suite struct GoldenStatementsTests {
  @Test func inSQLitesWords() throws {
    let model = PeopleFixture.model()
    let catalogue = StatementCatalogue(schema: SQLModel(model: model))
    try GoldenStatements("sqlite").check(GoldenStatements.text(of: catalogue.entries))
    withExtendedLifetime(model) {}
  }

  @Test func ofAStoreInSQLitesWords() throws {
    let model = StoreStatementCatalogue.model()
    let catalogue = StoreStatementCatalogue(schema: SQLModel(model: model))
    try GoldenStatements("sqlite-store").check(GoldenStatements.text(of: catalogue.entries))
    withExtendedLifetime(model) {}
  }
}
