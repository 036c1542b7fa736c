#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Synchronization
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Tests of store descriptions, and of the rights that are needed to make a store.
  @Suite(.needsServer) struct StoreRightTests {
    /// A role that may not make schemas, such as that of a tenant, can make its store in a schema that it owns.
    @Test func aRoleMakesItsStoreInASchemaThatIsThere() throws {
      let server = try PostgreSQLServer()
      for text in [
        "CREATE ROLE tenant LOGIN", "CREATE SCHEMA shop AUTHORIZATION tenant",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
      ] { _ = try server.values(of: text) }
      let url = server.url(user: "tenant")
      let program = try HistoryProgram(url.appending(queryItems: [URLQueryItem(name: "schema", value: "shop")]))
      try program.save("a")
      #expect(try server.values(of: "SELECT count(*) FROM shop.\"Note\"") == ["1"])
      let error = #expect(throws: NSError.self) {
        _ = try HistoryProgram(url.appending(queryItems: [URLQueryItem(name: "schema", value: "another")]))
      }
      #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
    }

    @Test func aDescriptionTakesAPassword() throws {
      let asked = Mutex(0)
      let description = NSPersistentStoreDescription(url: try TestPlace.new())
      description.type = NSPostgreSQLStoreType
      description.setOption(
        PostgreSQLPassword {
          asked.withLock { $0 += 1 }
          return "a token"
        }, forKey: NSPostgreSQLPasswordOption)
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: HistoryProgram.model())
      container.persistentStoreDescriptions = [description]
      var failure: (any Error)?
      container.loadPersistentStores { failure = $1 }
      #expect(failure == nil)
      #expect(asked.withLock { $0 } > 0)
    }

    /// The URL of a store in a server cannot be changed, because a store at another URL is another store.
    @Test func theURLOfAStoreInAServerIsFixed() throws {
      let program = try HistoryProgram(TestPlace.new())
      let store = program.coordinator.persistentStores[0], url = store.url
      #expect(try !program.coordinator.setURL(TestPlace.new(), for: store))
      #expect(store.url == url)
    }

    /// All queries of a tool see the same state of the store, even if another program saves between them.
    @Test func questionsAreOfOneMoment() throws {
      let program = try HistoryProgram(TestPlace.new()), other = try HistoryProgram(#require(program.store.url))
      try program.save("a")
      let asked = try AskedStore(program.store, program.coordinator)
      let query = StoreQuery(entity: "Note")
      #expect(try asked.count(query) == 1)
      try other.save("b")
      #expect(try asked.count(query) == 1)
      #expect(try AskedStore(program.store, program.coordinator).count(query) == 2)
    }
  }
#endif
