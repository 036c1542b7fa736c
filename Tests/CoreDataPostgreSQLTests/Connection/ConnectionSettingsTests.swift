#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// Settings with which there is no session, however often it is tried.
  @Suite("Settings of connections")
  struct ConnectionSettingsTests {
    private func error(_ url: URL) throws -> NSError? {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BatchModels.graph())
      return #expect(throws: NSError.self) {
        try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
      }
    }

    @Test(
      .needsServer,
      arguments: [
        ("sslmode=bogus", "sslmode"), ("target_session_attrs=bogus", "target_session_attrs"),
        ("service=nosuch", "nosuch"), ("sslnegotiation=bogus", "sslnegotiation"), ("port=99999", "99999"),
        ("port=x", "port"), ("hostaddr=127.0.0.1,127.0.0.2", "hostaddr"), ("channel_binding=bogus", "channel_binding"),
        ("gssencmode=bogus", "gssencmode"), ("load_balance_hosts=bogus", "load_balance_hosts"),
      ])
    func aWrongOptionIsNamed(_ option: String, _ name: String) throws {
      // An older libpq does not know each of them; then the URL cannot be read.
      let url = try #require(URL(string: "\(PostgreSQLServer.shared.get().url())?\(option)"))
      let error = try error(url)
      #expect(error?.code == NSPersistentStoreOpenError, "\(error?.localizedDescription ?? "")")
      let text = error?.localizedDescription ?? ""
      #expect(text.contains(name) || text.contains("not one that libpq understands"), "\(text)")
    }

    @Test func aServerWithoutEncryptionIsNamed() throws {
      let server = try FalseServer(address: "127.0.0.1")
      for mode in ["require", "verify-full"] {
        let url = "postgresql://tests:secret@127.0.0.1:\(server.port)/db?sslmode=\(mode)&sslrootcert=/nowhere/root.crt"
        let error = try error(#require(URL(string: url)))
        #expect(error?.code == NSPersistentStoreOpenError, "\(error?.localizedDescription ?? "")")
        #expect(error?.localizedDescription.contains("(option ssl") == true, "\(error?.localizedDescription ?? "")")
        #expect(error?.localizedDescription.contains("secret") == false)
      }
    }

    @Test func aPasswordThatIsMissingIsNamed() throws {
      let server = try FalseServer(address: "127.0.0.1")
      let url = "postgresql://tests@127.0.0.1:\(server.port)/db?passfile=/nowhere/pgpass"
      let error = try error(#require(URL(string: url)))
      #expect(error?.code == NSPersistentStoreOpenError, "\(error?.localizedDescription ?? "")")
      #expect(error?.localizedDescription.contains("(option password)") == true, "\(error?.localizedDescription ?? "")")
    }

    @Test func aServerThatAsksForEverGetsNoMoreTime() throws {
      let server = try FalseServer(address: "127.0.0.1", asksForEver: true)
      let place = try ServerPlace(#require(URL(string: "postgresql://tests:secret@127.0.0.1:\(server.port)/db")))
      let error = #expect(throws: ServerError.self) {
        try ServerConnection(place, deadline: .now + .milliseconds(200))
      }
      #expect(error?.isTimedOut == true, "\(error?.message ?? "")")
    }

    /// A server that is not there may come.
    @Test func aServerThatDoesNotAnswerIsNoSetting() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "nowhere-\(UUID().uuidString)").path
      let error = try error(#require(URL(string: "postgresql:///db?host=\(folder)&user=tests")))
      #expect(error?.code == NSPersistentStoreOperationError, "\(error?.localizedDescription ?? "")")
    }

    /// A schema that a role may not use looks as if it had no store.
    @Test(.needsServer) func aRightThatIsMissingIsNamed() throws {
      let server = try PostgreSQLServer()
      for text in ["CREATE ROLE owner LOGIN", "CREATE ROLE guest LOGIN", "CREATE SCHEMA shop AUTHORIZATION owner"] {
        _ = try server.values(of: text)
      }
      let schema = [URLQueryItem(name: "schema", value: "shop")]
      let program = try HistoryProgram(server.url(user: "owner").appending(queryItems: schema))
      try program.save("a")
      let place = server.url(user: "guest").appending(queryItems: schema)
      for isReadOnly in [false, true] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryProgram.model())
        let error = #expect(throws: NSError.self) {
          try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: place,
            options: [NSReadOnlyPersistentStoreOption: isReadOnly])
        }
        #expect(error?.code == CocoaError.Code.fileReadNoPermission.rawValue, "\(error?.localizedDescription ?? "")")
        #expect(error?.localizedDescription.contains("USAGE ON SCHEMA \"shop\"") == true)
      }
      let error = #expect(throws: NSError.self) {
        try NSPersistentStoreCoordinator(managedObjectModel: HistoryProgram.model())
          .destroyPersistentStore(at: place, ofType: NSPostgreSQLStoreType)
      }
      #expect(error?.code == CocoaError.Code.fileReadNoPermission.rawValue, "\(error?.localizedDescription ?? "")")
      #expect(try server.values(of: "SELECT count(*) FROM shop.\"Note\"") == ["1"])
    }

    /// The requirements are tried in one flight; an error among them would be in the server's log at each opening.
    @Test(.needsServer) func anOpeningTriesTheServerInOneFlight() throws {
      let server = try PostgreSQLServer()
      let place = try ServerPlace(server.url()), connection = try ServerConnection(place, deadline: Patience.limit)
      let flights = connection.flightCount
      try ServerRequirements(connection, place).check()
      #expect(connection.flightCount == flights + 1)
      #expect(connection.transactionStatus == .idle)
      for _ in 0..<2 { try HistoryProgram(server.url()).save("a") }
      let log = try String(contentsOf: server.folder.appending(path: "log"), encoding: .utf8)
      #expect(!log.contains("ERROR"), "\(log)")
    }
  }
#endif
