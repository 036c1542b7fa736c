#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import StoreConformance
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL

  /// Tests with a pooler, which may give each transaction another session, and ignores the settings at the start of a session.
  @Suite(
    .enabled(
      if: PostgreSQLServer.isInstalled && PoolerProcess.isInstalled,
      "PostgreSQL or PgBouncer is not installed: apt-get install postgresql pgbouncer"))
  struct PoolerTests {
    private static func place() throws -> URL {
      let query = try #require(URLComponents(url: TestPlace.new(), resolvingAgainstBaseURL: false)?.queryItems)
      return try PoolerProcess.shared.get().url().appending(queryItems: query)
    }

    private static let subject = StoreSubject(
      type: NSPostgreSQLStoreType, options: [NSPostgreSQLConnectionPoolerOption: true]
    ) { try place() }

    @Test(arguments: StoreConformance.checks) func storesWork(_ check: StoreCheck) throws {
      try check.run(on: Self.subject)
    }

    /// Stores in different schemas share sessions, and each store uses its own schema.
    @Test func storesOfSeveralSchemasShareSessions() throws {
      let options: [AnyHashable: Any] = [NSPostgreSQLConnectionPoolerOption: true]
      let programs = try (0..<4).map { _ in try HistoryProgram(Self.place(), options) }
      for round in 0..<20 {
        for (number, program) in programs.enumerated() { try program.save("\(number).\(round)") }
      }
      for (number, program) in programs.enumerated() {
        let texts = try program.context.performAndWait {
          try program.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
            .compactMap { $0.value(forKey: "text") as? String }
        }
        #expect(texts == (0..<20).map { "\(number).\($0)" })
      }
    }
  }

  @Suite struct LocalSettingsTests {
    /// The settings are sent before the first statement of each transaction, and of each segment that is a transaction without
    /// BEGIN.
    @Test func settingsGoWithEachTransaction() {
      func sent(_ texts: [String?], isWithin: Bool = false) -> [Bool] {
        var progress = LocalSettings.Progress(isWithin: isWithin)
        return texts.map { text in
          guard let text else {
            progress.endSegment()
            return false
          }
          return progress.needsSettings(before: text)
        }
      }
      #expect(
        sent(["BEGIN", "SELECT 1", "SELECT 2", "COMMIT", "SELECT 3", "SELECT 4"]).map { $0 ? 1 : 0 } == [
          0, 1, 0, 0, 1, 0,
        ])
      #expect(sent(["SELECT 1", "SELECT 2", nil, "SELECT 3"]).map { $0 ? 1 : 0 } == [1, 0, 0, 1])
      #expect(
        sent(["BEGIN", "SELECT 1", nil, "SELECT 2", "ROLLBACK TO a", "SELECT 3"]).map { $0 ? 1 : 0 } == [
          0, 1, 0, 0, 0, 0,
        ])
      #expect(sent(["SELECT 1", "ROLLBACK", "SELECT 2"], isWithin: true).map { $0 ? 1 : 0 } == [0, 0, 1])
    }

    @Test func aSchemaIsQuoted() throws {
      let place = try ServerPlace(
        #require(URL(string: "postgresql://a@h/d")), schema: #"o'"r\d"#, usesNamedStatements: false)
      #expect(place.localSettings?.text == #"SELECT set_config('search_path', '"o''""r\d"', true)"#)
    }
  }
#endif
