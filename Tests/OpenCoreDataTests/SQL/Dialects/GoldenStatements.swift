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

  /// Each statement's name, and under it its text, or why it is refused.
  static func text(of catalogue: StatementCatalogue) -> String {
    catalogue.entries.map { entry in
      do {
        return "\(entry.name)\n    \(try entry.statement().text)\n"
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
    try GoldenStatements("sqlite").check(GoldenStatements.text(of: StatementCatalogue(schema: SQLModel(model: model))))
    withExtendedLifetime(model) {}
  }
}
