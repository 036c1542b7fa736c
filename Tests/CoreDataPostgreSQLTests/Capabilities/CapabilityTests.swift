#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import StoreConformance
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL

  /// Tests with servers that lack features. Other engines with the protocol of PostgreSQL lack some; a proxy makes the server
  /// refuse them.
  @Suite(.needsServer) struct CapabilityTests {
    /// Words of statements that the store can do without.
    private static let spared = [
      "LISTEN ", "pg_notify", "pg_advisory_xact_lock", "COPY ", "pg_control_system", "CREATE COLLATION",
    ]

    private static let poorServer = Result {
      try MessageProxy(to: PostgreSQLServer.shared.get().socket, behaviour: .init(unknownWords: spared))
    }

    private static func place(through proxy: MessageProxy) throws -> URL {
      let query = try #require(URLComponents(url: TestPlace.new(), resolvingAgainstBaseURL: false)?.queryItems)
      return proxy.url().appending(queryItems: query)
    }

    /// Stores work on a server that has none of the features that can be spared.
    @Test(arguments: StoreConformance.checks) func storesWorkWithoutWhatCanBeSpared(_ check: StoreCheck) throws {
      try check.run(
        on: StoreSubject(type: NSPostgreSQLStoreType) { try Self.place(through: Self.poorServer.get()) })
    }

    @Test func manyRowsAreInsertedWithoutCopying() throws {
      let program = try HistoryProgram(Self.place(through: Self.poorServer.get()))
      let rows: [[String: Any]] = (0..<1000).map { $0 % 2 == 0 ? ["text": "row\($0)", "number": $0] : ["number": $0] }
      try program.context.performAndWait {
        try program.context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
        let found = try program.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        let numbers = found.map { $0.value(forKey: "number") as? Int }
        #expect(numbers == (0..<1000).map { $0 })
        #expect(found.map { $0.value(forKey: "text") as? String } == (0..<1000).map { $0 % 2 == 0 ? "row\($0)" : nil })
      }
      #expect(program.store.copySupport.isRefused)
    }

    @Test(arguments: [
      ("pg_visible_in_snapshot", "snapshots"), ("REPEATABLE", "REPEATABLE READ"), ("ORDINALITY", "arrays as tables"),
      ("xid8", "snapshots"),
    ])
    func whatAStoreNeedsIsNamed(_ word: String, _ name: String) throws {
      let proxy = try MessageProxy(
        to: PostgreSQLServer.shared.get().socket, behaviour: .init(unknownWords: [word]))
      let place = try Self.place(through: proxy)
      let error = #expect(throws: NSError.self) { _ = try HistoryProgram(place) }
      #expect(error?.code == NSPersistentStoreOpenError)
      #expect(error?.localizedDescription.contains(name) == true, "\(error?.localizedDescription ?? "")")
      // The failed attempt has not made a schema.
      proxy.behaviour = .init()
      let schema = try #require(URLComponents(url: place, resolvingAgainstBaseURL: false)?.queryItems?.first?.value)
      let found = try PostgreSQLServer.shared.get().values(
        of: "SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'")
      #expect(found == ["0"])
    }

    @Test func writersNeedChangesWithinQueries() throws {
      let proxy = try MessageProxy(to: PostgreSQLServer.shared.get().socket), place = try Self.place(through: proxy)
      let first = try HistoryProgram(place)
      try first.save("a")
      proxy.behaviour = .init(unknownWords: ["RETURNING"])
      let error = #expect(throws: NSError.self) { _ = try HistoryProgram(place) }
      #expect(error?.localizedDescription.contains("changes within queries") == true)
      let reader = try HistoryProgram(place, [NSReadOnlyPersistentStoreOption: true])
      let count = try reader.context.performAndWait {
        try reader.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
      }
      #expect(count == 1)
    }

    /// A role without the right to insert is refused by COPY and by INSERT. The store must not conclude that the server lacks COPY.
    @Test func aMissingRightIsNoServerWithoutCopying() throws {
      let server = try PostgreSQLServer()
      let owner = try HistoryProgram(server.url())
      try owner.save("a")
      for text in [
        "CREATE ROLE clerk LOGIN", "GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk",
        "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO clerk", "REVOKE INSERT ON \"Note\" FROM clerk",
      ] { _ = try server.values(of: text) }
      let clerk = try HistoryProgram(server.url(user: "clerk"))
      let rows: [[String: Any]] = (0..<1000).map { ["number": $0] }
      func insert() throws {
        try clerk.context.performAndWait {
          _ = try clerk.context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
        }
      }
      #expect(throws: NSError.self) { try insert() }
      #expect(!clerk.store.copySupport.isKnown)
      _ = try server.values(of: "GRANT INSERT ON \"Note\" TO clerk")
      try insert()
      #expect(clerk.store.copySupport.isKnown && !clerk.store.copySupport.isRefused)
      #expect(try server.values(of: "SELECT count(*) FROM \"Note\"") == ["1001"])
    }

    /// A role may lack the right to read the server's identifier. It continues the history of a store that another role uses.
    @Test func rolesOfDifferentRightsHaveOneHistory() throws {
      let server = try PostgreSQLServer()
      for text in [
        "CREATE ROLE plain LOGIN", "GRANT ALL ON DATABASE postgres TO plain",
        "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC",
      ] { _ = try server.values(of: text) }
      let place = URLQueryItem(name: "schema", value: "shared")
      let first = try HistoryProgram(server.url(user: "plain").appending(queryItems: [place]))
      try first.save("a")
      let token = first.token
      let second = try HistoryProgram(server.url().appending(queryItems: [place]))
      try second.save("b")
      let third = try HistoryProgram(server.url(user: "plain").appending(queryItems: [place]))
      #expect(try third.history(.fetchHistory(after: nil as NSPersistentHistoryToken?)).count == 2)
      #expect(try second.history(.fetchHistory(after: token)).count == 1)
    }

    /// A sequence may return its blocks of keys in another order; each key is still used only once.
    @Test func blocksOfKeysMayComeInAnyOrder() throws {
      let place = try TestPlace.new()
      let first = try HistoryProgram(place)
      try first.save("first")
      let schema = try #require(URLComponents(url: place, resolvingAgainstBaseURL: false)?.queryItems?.first?.value)
      let server = try PostgreSQLServer.shared.get()
      let names = try server.values(
        of: "SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = '\(schema)'::regnamespace")
      for name in names {
        _ = try server.values(
          of: "ALTER SEQUENCE \"\(schema)\".\"\(name)\" INCREMENT BY -256 MAXVALUE 2560001 RESTART WITH 2560001")
      }
      let second = try HistoryProgram(place)
      for program in [second, first, second] {
        try program.context.performAndWait {
          for number in 0..<600 {
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: program.context)
              .setValue("\(number)", forKey: "text")
          }
          try program.context.save()
        }
      }
      let count = try second.context.performAndWait {
        try second.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
      }
      #expect(count == 1801)
    }
  }
#endif
