#if PostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("The proxy", .needsServer)
  struct MessageProxyTests {
    private func proxy(
      over transport: MessageProxy.Transport = .unix, _ behaviour: MessageProxy.Behaviour = .init()
    ) throws -> MessageProxy {
      try MessageProxy(to: PostgreSQLServer.shared.get().socket, over: transport, behaviour: behaviour)
    }

    private func connection(through proxy: MessageProxy, _ words: String = "") throws -> ServerConnection {
      let url = try #require(URL(string: proxy.url().absoluteString + words))
      return try ServerConnection(ServerPlace(url), deadline: Patience.limit)
    }

    /// Makes a flight of two segments: statements with variables, and a statement whose rows are streamed.
    private static func work(_ count: Int = 3, seen: @escaping (Int64) -> Void) -> Flight {
      var flight = Flight()
      let statement = ServerStatement("SELECT $1 * 2", types: [ServerType.int64])
      for number in 0..<Int64(count) {
        flight.add(statement, .of { $0.append(number) }) { seen($0.int64(0, 0)) }
      }
      flight.sync()
      flight.add(ServerStatement("SELECT generate_series(1, 100)::int8"), streams: true) {
        for row in 0..<$0.rowCount { seen($0.int64(row, 0)) }
      }
      return flight
    }

    private static let sum: Int64 = 6 + 5050

    @Test(
      "Flights pass however their bytes come",
      arguments: [MessageProxy.Transport.unix, .tcp],
      [
        MessageProxy.Behaviour(), .init(delay: .milliseconds(2)), .init(splits: true), .init(coalesces: true),
        .init(delay: .microseconds(500), splits: true, coalesces: true),
      ])
    func flightsPass(transport: MessageProxy.Transport, behaviour: MessageProxy.Behaviour) throws {
      let proxy = try proxy(over: transport, behaviour)
      let connection = try connection(through: proxy)
      for _ in 0..<3 {
        var sum: Int64 = 0
        try connection.run(Self.work { sum += $0 }, deadline: Patience.limit)
        #expect(sum == Self.sum)
      }
    }

    @Test func largeMessagesPass() throws {
      for behaviour in [MessageProxy.Behaviour(), .init(delay: .milliseconds(1)), .init(coalesces: true)] {
        let proxy = try proxy(behaviour), connection = try connection(through: proxy)
        let data = Data(repeating: 7, count: 5 << 20),
          statement = ServerStatement("SELECT $1", types: [ServerType.bytes])
        var flight = Flight(), seen = 0
        for _ in 0..<4 { flight.add(statement, .of { $0.append(data) }) { seen += $0.data(0, 0) == data ? 1 : 0 } }
        try connection.run(flight, deadline: Patience.limit)
        #expect(seen == 4)
      }
    }

    @Test func messagesAndFlightsAreCounted() throws {
      let proxy = try proxy(), connection = try connection(through: proxy)
      #expect(proxy.counts(of: .client)["startup"] == 1)
      #expect(proxy.flightCount == 0)
      proxy.resetCounts()
      try connection.run(Self.work { _ in })
      // Each of the two statements was prepared once.
      #expect(proxy.counts(of: .client) == ["P": 2, "B": 4, "D": 4, "E": 4, "S": 2])
      #expect(proxy.flightCount == 2)
      let answers = proxy.counts(of: .server)
      #expect(answers["1"] == 2 && answers["2"] == 4 && answers["D"] == 103 && answers["C"] == 4 && answers["Z"] == 2)
      proxy.resetCounts()
      try connection.run(Self.work { _ in })
      #expect(proxy.counts(of: .client) == ["B": 4, "D": 4, "E": 4, "S": 2])
      connection.close()
    }

    @Test func encryptionIsRefusedAndCancellingPasses() throws {
      // Over TCP libpq asks for encryption first.
      let proxy = try proxy(over: .tcp), connection = try connection(through: proxy)
      #expect(proxy.counts(of: .client)["ssl"] == 1)
      #expect(proxy.counts(of: .server)["answer"] == 1)
      let error = #expect(throws: ServerError.self) {
        try connection.run("SELECT pg_sleep(3600)", deadline: .now + .milliseconds(200))
      }
      #expect(error?.sqlState == "57014")
      // A request that is not answered soon is repeated. Each has a connection of its own, which is counted first.
      Patience.wait(for: "the requests to cancel") {
        let requests = proxy.counts(of: .client)["cancel"] ?? 0
        return requests >= 1 && proxy.connectionCount == 1 + requests
      }
    }

    @Test func delaysAreRoundTrips() throws {
      let proxy = try proxy(.init(delay: .milliseconds(20))), connection = try connection(through: proxy)
      // One after the other, the messages would be held for many seconds. A busy machine adds to the delays, but not so much each
      // time.
      let isParallel = try (0..<50).contains { _ in
        proxy.resetCounts()
        let start = ContinuousClock.now
        try connection.run(Self.work(100) { _ in })
        let time = ContinuousClock.now - start, count = proxy.count(of: .client) + proxy.count(of: .server)
        #expect(time >= .milliseconds(40))
        #expect(count > 500)
        return proxy.roundTripCount == 1 && time < .milliseconds(20) * count
      }
      #expect(isParallel)
    }

    /// Cuts the connection after each message of a side. The results that the server had sent before the cut are known.
    @Test(arguments: [MessageProxy.Side.client, .server], [MessageProxy.Transport.unix, .tcp])
    func cutBehindEachMessage(side: MessageProxy.Side, transport: MessageProxy.Transport) throws {
      let proxy = try proxy(over: transport)
      var count = 0
      while count < 200 {
        let connection = try connection(through: proxy)
        var seen: [Int64] = []
        let cuts = proxy.cutCount
        proxy.cut(after: count, of: side)
        do {
          try connection.run(Self.work { seen.append($0) }, deadline: Patience.limit)
          // If the cut is after the last message of the server, the flight has all of its results.
          #expect(seen.reduce(0, +) == Self.sum)
          if proxy.cutCount == cuts { break }
        } catch let error as ServerError {
          #expect(error.isConnectionLost, "after message \(count): \(error)")
          #expect(!error.isTimedOut)
          #expect(!connection.isUsable)
          #expect(Array(seen.prefix(3)) == Array([0, 2, 4].prefix(min(3, seen.count))))
        }
        proxy.doNotCut()
        count += 1
      }
      // The client sends 16 messages. The server sends 2 ParseComplete, 4 BindComplete, 4 descriptions, 4 CommandComplete,
      // 103 rows and 2 ReadyForQuery.
      #expect(side == .client ? count == 17 : (118...122).contains(count), "\(count)")
    }

    @Test func cutWhileConnecting() throws {
      let proxy = try proxy(over: .tcp)
      var count = 0
      while count < 100 {
        proxy.cut(after: count, of: .server)
        guard let error = #expect(throws: ServerError.self, performing: { try connection(through: proxy) }) else {
          break
        }
        #expect(error.isConnectionLost)
        count += 1
        if count == 10 { break }
      }
      proxy.doNotCut()
      #expect(try connection(through: proxy).number("SELECT 1::int8") == 1)
    }

    @Test func cutNow() throws {
      let proxy = try proxy(), connection = try connection(through: proxy)
      try connection.onceRunning("pg_sleep") { _ in proxy.cutNow() }
      let error = #expect(throws: ServerError.self) { try connection.run("SELECT pg_sleep(3600)") }
      #expect(error?.isConnectionLost == true)
      proxy.stop()
      #expect(throws: ServerError.self) { try self.connection(through: proxy) }
    }
  }

  @Suite("The borders of messages")
  struct MessageScannerTests {
    /// Returns the kinds of the messages in bytes that come in pieces.
    private func kinds(_ side: MessageProxy.Side, _ bytes: [UInt8], piece: Int) -> [String] {
      var scanner = MessageScanner(side), kinds: [String] = []
      for start in stride(from: 0, to: bytes.count, by: piece) {
        let part = Array(bytes[start..<min(bytes.count, start + piece)])
        var index = 0
        while index < part.count {
          let (end, message) = scanner.next(in: part, from: index)
          if let message {
            kinds.append(message)
            if message == "ssl" { scanner.expectAnswer() }
          }
          index = end
        }
      }
      return kinds
    }

    @Test(arguments: 1...40) func messagesAreFound(piece: Int) {
      let startup: [UInt8] = [0, 0, 0, 12, 0, 3, 0, 0, 1, 2, 3, 4]
      let query = Array("Q".utf8) + [0, 0, 0, 7] + Array("ab\0".utf8), sync = Array("S".utf8) + [0, 0, 0, 4]
      #expect(
        kinds(.client, startup + query + sync + sync + query, piece: piece) == ["startup", "Q", "S", "S", "Q"])
      #expect(kinds(.client, [0, 0, 0, 16, 4, 210, 22, 46, 1, 2, 3, 4, 5, 6, 7, 8], piece: piece) == ["cancel"])
      #expect(kinds(.server, query + sync, piece: piece) == ["Q", "S"])
    }

    @Test func theAnswerToARequestForEncryptionIsAByte() {
      var scanner = MessageScanner(.server)
      scanner.expectAnswer()
      let bytes = Array("NS".utf8) + [0, 0, 0, 4]
      var (end, message) = scanner.next(in: bytes, from: 0)
      #expect(end == 1 && message == "answer")
      (end, message) = scanner.next(in: bytes, from: end)
      #expect(end == 6 && message == "S")
    }
  }
#endif
