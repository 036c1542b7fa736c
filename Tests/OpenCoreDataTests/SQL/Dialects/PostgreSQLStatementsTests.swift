import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The catalogue's statements in PostgreSQL's words, which a server has to accept.
@Suite struct PostgreSQLStatementsTests {
  private let model = PeopleFixture.model()
  private let dialect = PostgreSQLDialect()

  private func schema() -> SQLModel { SQLModel(entities: model.entities, dialect: dialect) }

  @Test func inPostgreSQLsWords() throws {
    try GoldenStatements("postgresql").check(GoldenStatements.text(of: StatementCatalogue(schema: schema())))
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"))
  func aServerAcceptsThem() throws {
    let schema = schema(), server = try PostgreSQLServer()
    var names: [String] = [], script: [String] = []
    for statement in tables(schema) + collations {
      names.append(statement)
      script.append(statement + ";")
    }
    for (index, entry) in StatementCatalogue(schema: schema).entries.enumerated() {
      guard let statement = try? entry.statement() else { continue }
      let types = statement.types.isEmpty ? "" : " (\(statement.types.joined(separator: ", ")))"
      #expect(statement.types.count == statement.bindings.count)
      names.append("\(entry.name): \(statement.text)")
      script.append("PREPARE s\(index)\(types) AS \(statement.text);")
    }
    // One that no server accepts shows that what is wrong is seen.
    script.append("PREPARE wrong AS SELECT nothing;")
    var problems = try server.problems(of: script)
    #expect(problems.removeValue(forKey: script.count - 1) != nil)
    for (line, problem) in problems { Issue.record("\(names[line]) \(problem)") }
  }

  /// The tables of the schema, with a column of the type that the dialect says for each of theirs.
  private func tables(_ schema: SQLModel) -> [String] {
    schema.tables.flatMap { table in
      let own = [
        "\(dialect.quoted(dialect.columns.key)) bigint PRIMARY KEY",
        "\(dialect.quoted(dialect.columns.entity)) integer",
        "\(dialect.quoted(dialect.columns.version)) bigint",
      ]
      let columns = table.columns.map { "\(dialect.quoted($0.name)) \(dialect.name(of: $0.type))" }
      return ["CREATE TABLE \(dialect.quoted(table.name)) (\((own + columns).joined(separator: ", ")))"]
        + table.joinTables.map { join in
          let columns = [join.sourceColumn, join.destinationColumn].map { "\(dialect.quoted($0)) bigint" }
          return "CREATE TABLE \(dialect.quoted(join.name)) (\(columns.joined(separator: ", ")))"
        }
    }
  }

  private let collations = [
    ("_localized", "und"), ("_localizedCaseInsensitive", "und-u-ks-level2"), ("_localizedStandard", "und-u-kn-true"),
  ].map { "CREATE COLLATION \"\($0)\" (provider = icu, locale = '\($1)', deterministic = false)" }
}
