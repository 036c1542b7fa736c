#if PostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Connections that fail", .needsServer)
  struct FailureTests {
    @Test func aSessionThatWasEndedIsLost() throws {
      let connection = try ServerConnection.toTests(), other = try ServerConnection.toTests()
      try other.run("SELECT pg_terminate_backend(\(connection.serverProcess))")
      Patience.wait(for: "the end of the session") { connection.isClosedByServer }
      let error = #expect(throws: ServerError.self) { try connection.run("SELECT 1") }
      #expect(error?.isConnectionLost == true)
      #expect(["57P01", ""].contains(error?.sqlState))
      #expect(!connection.isUsable)
      let second = #expect(throws: ServerError.self) { try connection.run("SELECT 1") }
      #expect(second?.isConnectionLost == true)
    }

    @Test func aSessionThatIsEndedWhileAFlightRunsIsLost() throws {
      let connection = try ServerConnection.toTests(), process = connection.serverProcess
      try connection.onceRunning("pg_sleep") { try $0.run("SELECT pg_terminate_backend(\(process))") }
      var flight = Flight(), seen = 0
      flight.add(ServerStatement("SELECT 1")) { _ in seen += 1 }
      flight.sync()
      flight.add(ServerStatement("SELECT pg_sleep(3600)")) { _ in seen += 1 }
      let error = #expect(throws: ServerError.self) { try connection.run(flight) }
      #expect(error?.isConnectionLost == true)
      #expect(error?.sqlState == "57P01")
      #expect(seen == 1)
      #expect(!connection.isUsable)
      #expect(connection.transactionStatus == .unknown)
    }

    @Test func nobodyListens() throws {
      let place = try ServerPlace(try #require(URL(string: "postgresql://tests:secret@127.0.0.1:1/postgres")))
      let error = #expect(throws: ServerError.self) { try ServerConnection(place, deadline: Patience.limit) }
      #expect(error?.isConnectionLost == true)
      #expect(error?.sqlState == "")
      #expect(error?.message.contains("secret") == false)
      let absent = try ServerPlace(try #require(URL(string: "postgresql://%2Fno%2Fsuch%2Ffolder/postgres")))
      #expect(throws: ServerError.self) { try ServerConnection(absent, deadline: Patience.limit) }
    }

    /// The port of this test is open, but nothing ever answers.
    @Test func aServerThatSaysNothingIsNotWaitedFor() throws {
      let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(silent) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let port = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          _ = bind(silent, pointer, length)
          _ = listen(silent, 1)
          _ = getsockname(silent, pointer, &length)
        }
        return UInt16(bigEndian: $0.pointee.sin_port)
      }
      let place = try ServerPlace(try #require(URL(string: "postgresql://tests@127.0.0.1:\(port)/postgres")))
      let error = #expect(throws: ServerError.self) {
        try ServerConnection(place, deadline: .now + .milliseconds(300))
      }
      #expect(error?.isTimedOut == true)
      #expect(error?.isConnectionLost == true)
    }

    @Test func whoMayNotComeIn() throws {
      let database = #expect(throws: ServerError.self) { try ServerConnection.toTests(database: "nowhere") }
      #expect(database?.sqlState == "3D000")
      #expect(database?.isConnectionLost == false)
      #expect(database?.message.contains("nowhere") == true)
      let user = #expect(throws: ServerError.self) { try ServerConnection.toTests(user: "nobody") }
      #expect(user?.sqlState == "28000")
    }

    @Test func errorsHaveTheirParts() throws {
      let connection = try ServerConnection.toTests()
      try connection.run("CREATE TEMPORARY TABLE parts (a int4 CONSTRAINT only_once UNIQUE, b int4 NOT NULL)")
      try connection.run("INSERT INTO parts VALUES (4711, 1)")
      let unique = #expect(throws: ServerError.self) { try connection.run("INSERT INTO parts VALUES (4711, 1)") }
      #expect(unique?.sqlState == "23505")
      #expect(unique?.constraint == "only_once")
      #expect(unique?.table == "parts")
      #expect(unique?.detail?.contains("4711") == true)
      #expect(unique?.message.contains("4711") == false)
      #expect(unique.map { "\($0)".contains("4711") } == false)
      let missing = #expect(throws: ServerError.self) { try connection.run("INSERT INTO parts VALUES (1, NULL)") }
      #expect(missing?.column == "b")
    }

    @Test func aConstraintThatIsCheckedAtTheEnd() throws {
      let connection = try ServerConnection.toTests()
      try connection.run("CREATE TEMPORARY TABLE late (a int4 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
      // Without BEGIN, the sync commits, and the answer to the sync is the error.
      var flight = Flight(), seen: [Int] = []
      flight.add(ServerStatement("INSERT INTO late VALUES (1), (1)")) { seen.append($0.affectedRows) }
      flight.sync()
      flight.add(ServerStatement("SELECT count(*) FROM late")) { seen.append(Int($0.int64(0, 0))) }
      let error = #expect(throws: ServerError.self) { try connection.run(flight, deadline: Patience.limit) }
      #expect(error?.sqlState == "23505")
      #expect(seen == [2, 0])
      #expect(try connection.number("SELECT 3::int8") == 3)
    }

    @Test func aServerThatStopsAndStarts() throws {
      let server = try PostgreSQLServer(), place = try ServerPlace(server.url())
      let connection = try ServerConnection(place, deadline: Patience.limit)
      try server.stop(immediate: true)
      let error = #expect(throws: ServerError.self) { try connection.run("SELECT 1") }
      #expect(error?.isConnectionLost == true)
      let refused = #expect(throws: ServerError.self) { try ServerConnection(place, deadline: Patience.limit) }
      #expect(refused?.isConnectionLost == true)
      try server.start()
      #expect(try ServerConnection(place, deadline: Patience.limit).number("SELECT 1::int8") == 1)
    }
  }
#endif
