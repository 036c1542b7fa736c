#if PostgreSQL
  import Foundation
  import Synchronization
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Flights", .needsServer)
  struct FlightTests {
    @Test func aFlightGivesItsResultsInOrder() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight(), seen: [Int32] = []
      let statement = ServerStatement("SELECT $1 + 1", types: [ServerType.int32])
      for number in Int32(0)..<10 {
        var values = ServerValues()
        values.append(number)
        flight.add(statement, values) { seen.append($0.int32(0, 0)) }
      }
      try connection.run(flight, deadline: Patience.limit)
      #expect(seen == Array(1...10))
      try connection.run(flight, deadline: Patience.limit)
      #expect(seen.count == 20)
      #expect(connection.flightCount == 2)
      #expect(connection.statementCount == 20)
      #expect(connection.prepared.count == 1)
    }

    @Test func anErrorEndsItsSegmentAndTheNextOneRuns() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight(), seen: [String] = []
      flight.add(ServerStatement("BEGIN"))
      flight.add(ServerStatement("SELECT 'before'")) { seen.append($0.string(0, 0)) }
      flight.add(ServerStatement("SELECT 1 / $1", types: [ServerType.int32]), .of { $0.append(Int32(0)) }) { _ in
        seen.append("wrong")
      }
      flight.add(ServerStatement("SELECT 'skipped'")) { seen.append($0.string(0, 0)) }
      flight.sync()
      flight.add(ServerStatement("ROLLBACK"))
      flight.sync()
      flight.add(ServerStatement("SELECT 'after'")) { seen.append($0.string(0, 0)) }
      let error = #expect(throws: ServerError.self) { try connection.run(flight) }
      #expect(error?.sqlState == "22012")
      #expect(error?.statement == 2)
      #expect(error?.text == "SELECT 1 / $1")
      #expect(error?.isConnectionLost == false)
      #expect(seen == ["before", "after"])
      #expect(connection.transactionStatus == .idle)
      // A statement that was skipped after an error is prepared when it runs for the first time.
      #expect(try connection.texts("SELECT 'skipped'") == ["skipped"])
    }

    @Test func aHundredThousandRowsAreStreamed() throws {
      let connection = try ServerConnection.toTests()
      var count = 0, sum: Int64 = 0, lots = 0
      try connection.run("SELECT g::int8, repeat('x', 100) FROM generate_series(1, 100000) g", streams: true) {
        lots += 1
        count += $0.rowCount
        for row in 0..<$0.rowCount { sum += $0.int64(row, 0) }
      }
      #expect(count == 100_000)
      #expect(lots > 100)
      #expect(sum == 5_000_050_000)
    }

    /// Both sides send more bytes than the buffers of the sockets hold.
    @Test func largeValuesBothWays() throws {
      let connection = try ServerConnection.toTests()
      var generator = SeededGenerator(for: "large values"), flight = Flight(), seen = 0
      let data = Data((0..<(20 << 20)).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
      let statement = ServerStatement("SELECT $1", types: [ServerType.bytes])
      for _ in 0..<3 {
        flight.add(statement, .of { $0.append(data) }) {
          #expect($0.data(0, 0) == data)
          seen += 1
        }
      }
      try connection.run(flight, deadline: Patience.limit)
      #expect(seen == 3)
    }

    @Test func manyStatementsWithLargeResults() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight(), length = 0, seen = 0
      let statement = ServerStatement("SELECT repeat($1, 1000)", types: [ServerType.text])
      for number in 0..<20_000 {
        flight.add(statement, .of { $0.append(String(number % 10)) }, streams: number % 7 == 0) {
          length += $0.bytes(0, 0).count
          seen += 1
        }
      }
      try connection.run(flight, deadline: Patience.limit)
      #expect(seen == 20_000)
      #expect(length == 20_000_000)
    }

    @Test func streamsStandBesideOtherStatements() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight(), seen: [String] = []
      for lot in 0..<3 {
        flight.add(ServerStatement("SELECT g FROM generate_series(1, 3) g"), streams: true) {
          for row in 0..<$0.rowCount { seen.append("\(lot): \($0.int32(row, 0))") }
        }
        flight.add(ServerStatement("SELECT g FROM generate_series(1, 3) g")) { seen.append("\(lot): \($0.rowCount)") }
        flight.add(ServerStatement("SELECT 1 WHERE FALSE"), streams: true) { _ in seen.append("none") }
        flight.add(ServerStatement("SET application_name = 'x'"), streams: true) { _ in seen.append("set") }
        if lot == 1 { flight.sync() }
      }
      try connection.run(flight)
      #expect(seen == (0..<3).flatMap { ["\($0): 1", "\($0): 2", "\($0): 3", "\($0): 3", "set"] })
    }

    @Test func anErrorInTheMiddleOfAStream() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight(), rows = 0, after = 0
      flight.add(ServerStatement("SELECT 1 / (1000 - g) FROM generate_series(1, 2000) g"), streams: true) { _ in
        rows += 1
      }
      flight.sync()
      flight.add(ServerStatement("SELECT 1"), streams: true) { _ in after += 1 }
      let error = #expect(throws: ServerError.self) { try connection.run(flight) }
      #expect(error?.sqlState == "22012")
      #expect(rows == 999)
      #expect(after == 1)
    }

    @Test func anErrorOfAHandlerIsThrown() throws {
      struct Mine: Error {}
      let connection = try ServerConnection.toTests()
      var flight = Flight(), later = 0
      flight.add(ServerStatement("SELECT 1")) { _ in throw Mine() }
      flight.add(ServerStatement("SELECT 2")) { _ in later += 1 }
      flight.add(ServerStatement("SELECT 1/0"))
      #expect(throws: Mine.self) { try connection.run(flight) }
      #expect(later == 0)
      #expect(connection.isUsable)
      #expect(try connection.number("SELECT 5::int8") == 5)
    }

    @Test func aFlightOfNothing() throws {
      let connection = try ServerConnection.toTests()
      try connection.run(Flight())
      #expect(connection.flightCount == 0)
      var flight = Flight()
      flight.sync()
      flight.sync()
      try connection.run(flight)
      try connection.run("")
      #expect(connection.flightCount == 2)
    }

    @Test func affectedRowsAndStatus() throws {
      let connection = try ServerConnection.toTests()
      #expect(connection.transactionStatus == .idle)
      #expect(connection.serverVersion >= 120_000)
      #expect(connection.parameter("server_encoding") == "UTF8")
      #expect(connection.parameter("client_encoding") == "UTF8")
      #expect(connection.parameter("application_name") == "tests")
      #expect(connection.parameter("no_such_thing") == nil)
      try connection.run("BEGIN")
      #expect(connection.transactionStatus == .inTransaction)
      try connection.run("CREATE TEMPORARY TABLE t AS SELECT generate_series(1, 7) a")
      try connection.run("DELETE FROM t WHERE a > 4") { #expect($0.affectedRows == 3) }
      try connection.run("SELECT a FROM t") {
        #expect($0.affectedRows == 4)
        #expect($0.columnName(0) == "a")
      }
      #expect(throws: ServerError.self) { try connection.run("SELECT nonsense") }
      #expect(connection.transactionStatus == .failed)
      try connection.run("ROLLBACK")
      #expect(connection.transactionStatus == .idle)
      connection.close()
      #expect(connection.transactionStatus == .unknown)
      #expect(!connection.isUsable)
    }

    @Test func noticesHaveNoValues() throws {
      let connection = try ServerConnection.toTests(), notices = Mutex<[String]>([])
      connection.onNotice = { notice in notices.withLock { $0.append(notice) } }
      try connection.run("DO $$ BEGIN RAISE WARNING 'mind the gap' USING DETAIL = 'a value'; END $$")
      #expect(notices.withLock { $0 } == ["WARNING: mind the gap"])
    }
  }
#endif
