#if PostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  extension Trait where Self == ConditionTrait {
    /// A trait for suites that need a server.
    static var needsServer: Self {
      .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed: apt-get install postgresql")
    }
  }

  extension ServerValues {
    /// Makes values with a function that appends them.
    static func of(_ append: (inout ServerValues) -> Void) -> ServerValues {
      var values = ServerValues()
      append(&values)
      return values
    }
  }

  extension ServerConnection {
    /// Makes a connection to the server of the tests.
    static func toTests(
      user: String = "tests", database: String = "postgres", settings: [String: String] = [:],
      usesNamedStatements: Bool = true
    ) throws -> ServerConnection {
      let url = try PostgreSQLServer.shared.get().url(user: user, database: database)
      let place = try ServerPlace(
        url, settings: settings, applicationName: "tests", usesNamedStatements: usesNamedStatements)
      return try ServerConnection(place, deadline: Patience.limit)
    }

    /// Calls `body` on another thread as soon as the session runs a statement with these words. `body` gets a connection to the
    /// same server.
    func onceRunning(_ words: String, _ body: @escaping @Sendable (ServerConnection) throws -> Void) throws {
      let process = serverProcess, other = try ServerConnection.toTests()
      Thread.detachNewThread {
        do {
          let question =
            "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process) AND state = 'active' AND query LIKE '%\(words)%'"
          if try Patience.wait(for: "a session that runs \(words)", { try other.number(question) == 1 }) {
            try body(other)
          }
        } catch { Issue.record(error) }
      }
    }

    /// Runs one statement. The deadline keeps tests from hanging.
    func run(
      _ text: String, types: [UInt32] = [], _ values: ServerValues = ServerValues(), isPrepared: Bool = true,
      streams: Bool = false, deadline: ContinuousClock.Instant? = nil, _ onResult: Flight.Handler? = nil
    ) throws {
      var flight = Flight()
      flight.add(ServerStatement(text, types: types, isPrepared: isPrepared), values, streams: streams, onResult)
      try run(flight, deadline: deadline ?? Patience.limit)
    }

    /// Runs a query, and returns the texts of the first column.
    func texts(_ text: String) throws -> [String] {
      var texts: [String] = []
      try run(text) { result in
        for row in 0..<result.rowCount { texts.append(result.string(row, 0)) }
      }
      return texts
    }

    /// Runs a query, and returns the number in the first column of its first row.
    func number(_ text: String) throws -> Int64 {
      var number: Int64 = 0
      try run(text) { number = $0.int64(0, 0) }
      return number
    }
  }
#endif
