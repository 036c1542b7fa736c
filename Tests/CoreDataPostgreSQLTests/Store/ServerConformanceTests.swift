#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import StoreConformance
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerConformanceTests {
    /// Stores in schemas of their own.
    static let subject = StoreSubject(type: NSPostgreSQLStoreType) { try TestPlace.new() }

    @Test(arguments: StoreConformance.checks) func serverStore(_ check: StoreCheck) throws {
      try check.run(on: Self.subject)
    }
  }
#endif
