import Foundation
import PostgreSQLTestServer
import Testing

@_spi(Store) @testable import OpenCoreData

/// The catalogue's statements in PostgreSQL's words, which a server has to accept.
@Suite struct PostgreSQLStatementsTests {
  private let model = PeopleFixture.model()
  private let bands = StoreStatementCatalogue.model()
  private let dialect = PostgreSQLDialect()

  private func schema(_ model: NSManagedObjectModel) -> SQLModel {
    SQLModel(entities: model.entities, dialect: dialect)
  }

  private var ofPeople: [StatementCatalogue.Entry] { StatementCatalogue(schema: schema(model)).entries }
  private var ofAStore: [StatementCatalogue.Entry] { StoreStatementCatalogue(schema: schema(bands)).entries }

  @Test func inPostgreSQLsWords() throws {
    try GoldenStatements("postgresql").check(GoldenStatements.text(of: ofPeople))
  }

  @Test func ofAStoreInPostgreSQLsWords() throws {
    try GoldenStatements("postgresql-store").check(GoldenStatements.text(of: ofAStore))
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
  func aServerAcceptsThem() throws {
    let server = try PostgreSQLServer()
    let tables = DDL.definitions(of: schema(model)).map { DDL.text(.create($0), schema(model)) }
    try check(ofPeople, after: tables + collations, server)
    try check(ofAStore, after: [], server)
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
  func itsShiftsAreTheEvaluators() throws {
    let server = try PostgreSQLServer(), dialect = PostgreSQLDialect()
    let numbers: [Int64] = [5, -5, 1 << 62, .min, -1], counts: [Int64] = [-70, -64, -63, -1, 0, 1, 63, 64, 70]
    var texts: [String] = [], expected: [String] = []
    for operation in [SQLArithmetic.shiftLeft, .shiftRight] {
      for number in numbers {
        for count in counts {
          let shift = SQLExpression.arithmetic(operation, .value(.integer(number)), .value(.integer(count)))
          texts.append(SQLDefinition.text(shift, dialect))
          expected.append("\(operation == .shiftLeft ? number << count : number >> count)")
        }
      }
    }
    let rows = texts.map { "(\($0))" }.joined(separator: ", ")
    let found = try server.values(of: "SELECT column1 FROM (VALUES \(rows)) v")
    for (text, (found, expected)) in zip(texts, zip(found, expected)) where found != expected {
      Issue.record("\(text) is \(found), not \(expected)")
    }
    #expect(found.count == expected.count)
  }

  /// Runs what creates or alters something, and prepares the rest.
  private func check(
    _ entries: [StatementCatalogue.Entry], after preparation: [String], _ server: PostgreSQLServer
  ) throws {
    var names = preparation, script = preparation.map { "\($0);" }
    for (index, entry) in entries.enumerated() {
      guard let statement = try? entry.statement() else { continue }
      let types = statement.types.isEmpty ? "" : " (\(statement.types.joined(separator: ", ")))"
      names.append("\(entry.name): \(statement.text)")
      script.append(entry.isDefinition ? "\(statement.text);" : "PREPARE s\(index)\(types) AS \(statement.text);")
    }
    // One that no server accepts shows that what is wrong is seen.
    script.append("PREPARE wrong AS SELECT nothing;")
    var problems = try server.problems(of: script)
    #expect(problems.removeValue(forKey: script.count - 1) != nil)
    for (line, problem) in problems { Issue.record("\(names[line]) \(problem)") }
  }

  private let collations = [
    ("_localized", "und"), ("_localizedCaseInsensitive", "und-u-ks-level2"), ("_localizedStandard", "und-u-kn-true"),
  ].map { "CREATE COLLATION \"\($0)\" (provider = icu, locale = '\($1)', deterministic = false)" }
}
