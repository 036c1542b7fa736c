#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("What is prepared")
  struct PreparedStatementsTests {
    @Test func aNameCountsOnceTheServerHasSaidSo() {
      var statements = PreparedStatements(limit: 2)
      #expect(statements.beginFlight(isIdle: true) == [])
      #expect(statements.use("a", in: 0) == .prepare)
      #expect(statements.use("a", in: 0) == .named)
      // In the next segment the name cannot be used yet, because the first segment may have failed.
      #expect(statements.use("a", in: 1) == .unnamed)
      #expect(statements.use("", in: 0) == .unnamed)
      statements.confirm("a")
      #expect(statements.use("a", in: 1) == .named)
      #expect(statements.use("b", in: 1) == .prepare)
      statements.fail("b")
      #expect(statements.use("b", in: 2) == .prepare)
    }

    @Test func thoseThatWereUsedLongestAgoGo() {
      var statements = PreparedStatements(limit: 2)
      _ = statements.beginFlight(isIdle: true)
      for name in ["a", "b", "c", "d"] as [StatementName] {
        _ = statements.use(name, in: 0)
        statements.confirm(name)
      }
      _ = statements.use("a", in: 0)
      #expect(statements.beginFlight(isIdle: false) == [])
      #expect(statements.beginFlight(isIdle: true) == ["b", "c"])
      // Until the server has confirmed that the statement is closed, its name may not be prepared again.
      #expect(statements.use("b", in: 0) == .unnamed)
      statements.forget("b")
      #expect(statements.use("b", in: 0) == .prepare)
      #expect(statements.use("a", in: 0) == .named)
      #expect(statements.beginFlight(isIdle: true) == ["c"])
    }
  }

  @Suite("Prepared statements", .needsServer)
  struct PreparedStatementTests {
    private func prepared(on connection: ServerConnection) throws -> Int64 {
      var count: Int64 = 0
      try connection.run("SELECT count(*) FROM pg_prepared_statements", isPrepared: false) { count = $0.int64(0, 0) }
      return count
    }

    @Test func noMoreThan256StayPrepared() throws {
      let connection = try ServerConnection.toTests()
      for lot in 0..<3 {
        var flight = Flight(), sum: Int32 = 0
        for number in 0..<200 {
          flight.add(ServerStatement("SELECT \(lot * 200 + number)")) { sum += $0.int32(0, 0) }
        }
        try connection.run(flight)
        #expect(sum == Int32((lot * 400 + 199) * 100))
      }
      #expect(try prepared(on: connection) == 256)
      #expect(connection.prepared.count == 256)
      // One of the first statements is prepared again.
      #expect(try connection.texts("SELECT 'x'") == ["x"])
      var flight = Flight(), seen: [Int32] = []
      flight.add(ServerStatement("SELECT 0")) { seen.append($0.int32(0, 0)) }
      try connection.run(flight)
      #expect(seen == [0])
    }

    @Test func aStatementThatCannotBePreparedDoesNoHarm() throws {
      let connection = try ServerConnection.toTests()
      let statement = ServerStatement("SELECT * FROM made_later")
      var flight = Flight()
      flight.add(statement)
      flight.add(ServerStatement("SELECT 'behind it'"))
      for _ in 0..<2 {
        let error = #expect(throws: ServerError.self) { try connection.run(flight) }
        #expect(error?.sqlState == "42P01")
        #expect(error?.statement == 0)
        #expect(error?.text == statement.text)
      }
      try connection.run("CREATE TEMPORARY TABLE made_later (a int4)")
      try connection.run(flight)
      #expect(connection.prepared.count == 3)
      #expect(try prepared(on: connection) == 3)
    }

    @Test func aPreparationThatWasSkippedIsRepeated() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight(), seen: [String] = []
      flight.add(ServerStatement("SELECT 1/0"))
      flight.add(ServerStatement("SELECT 'new'")) { seen.append($0.string(0, 0)) }
      flight.sync()
      flight.add(ServerStatement("SELECT 'new'")) { seen.append($0.string(0, 0)) }
      #expect(throws: ServerError.self) { try connection.run(flight) }
      #expect(seen == ["new"])
      #expect(try connection.texts("SELECT 'new'") == ["new"])
      // The division is prepared, too, because it fails only when it is executed.
      #expect(try prepared(on: connection) == 2)
    }

    @Test func aTableThatHasChangedIsLookedAtAnew() throws {
      let connection = try ServerConnection.toTests()
      try connection.run("CREATE TEMPORARY TABLE changes (a int4)")
      try connection.run("SELECT * FROM changes") { #expect($0.columnCount == 1) }
      try connection.run("ALTER TABLE changes ADD b text")
      let error = #expect(throws: ServerError.self) { try connection.run("SELECT * FROM changes") }
      #expect(error?.sqlState == "0A000")
      for _ in 0..<2 { try connection.run("SELECT * FROM changes") { #expect($0.columnCount == 2) } }
      // The same within a transaction, where no statement is closed.
      try connection.run("ALTER TABLE changes ADD c text")
      try connection.run("BEGIN")
      #expect(throws: ServerError.self) { try connection.run("SELECT * FROM changes") }
      try connection.run("ROLLBACK")
      try connection.run("BEGIN")
      try connection.run("SELECT * FROM changes") { #expect($0.columnCount == 3) }
      try connection.run("COMMIT")
      try connection.run("SELECT * FROM changes") { #expect($0.columnCount == 3) }
    }

    @Test func statementsThatSomebodyHasDroppedArePreparedAgain() throws {
      let connection = try ServerConnection.toTests()
      #expect(try connection.texts("SELECT 'kept'") == ["kept"])
      try connection.run("DEALLOCATE ALL", isPrepared: false)
      let error = #expect(throws: ServerError.self) { try connection.texts("SELECT 'kept'") }
      #expect(error?.sqlState == "26000")
      #expect(try connection.texts("SELECT 'kept'") == ["kept"])
    }

    @Test func namesAreNotUsedBehindAPooler() throws {
      let connection = try ServerConnection.toTests(usesNamedStatements: false)
      for _ in 0..<3 {
        try connection.run("SELECT $1, 'unnamed'", types: [ServerType.int64], .of { $0.append(Int64(4)) }) {
          #expect($0.int64(0, 0) == 4)
        }
      }
      #expect(try prepared(on: connection) == 0)
    }

    @Test func namesTellTextAndTypes() {
      let statement = ServerStatement("SELECT $1", types: [ServerType.int64])
      #expect(statement.name == ServerStatement("SELECT $1", types: [ServerType.int64]).name)
      #expect(statement.name.text.count == 32)
      #expect(statement.name != ServerStatement("SELECT $1", types: [ServerType.int32]).name)
      #expect(statement.name != ServerStatement("SELECT $1").name)
      #expect(ServerStatement("SELECT $1", isPrepared: false).name == "")
      // The name is the same in every process.
      #expect(ServerStatement("SELECT 1").name == "4c171cf27d659b06b1c2cfa629c0ca42")
    }
  }

  extension StatementName: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
  }
#endif
