#if PostgreSQL
  import Foundation
  import Synchronization
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Stopping what runs", .needsServer)
  struct StoppingTests {
    @Test func aDeadlineEndsAStatement() throws {
      let connection = try ServerConnection.toTests(), start = ContinuousClock.now
      let error = #expect(throws: ServerError.self) {
        try connection.run("SELECT pg_sleep(3600)", deadline: start + .milliseconds(300))
      }
      // The statement itself would take an hour.
      #expect(.now - start >= .milliseconds(300))
      #expect(error?.sqlState == "57014")
      #expect(error?.isTimedOut == true)
      #expect(error?.isConnectionLost == false)
      #expect(connection.isUsable)
      #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test func aDeadlineThatHasPassedAlready() throws {
      let connection = try ServerConnection.toTests()
      let error = #expect(throws: ServerError.self) {
        try connection.run("SELECT pg_sleep(3600)", deadline: .now - .seconds(1))
      }
      #expect(error?.sqlState == "57014")
      #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test func theNextSegmentRunsAfterADeadline() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight()
      flight.add(ServerStatement("BEGIN"))
      flight.add(ServerStatement("SELECT pg_sleep(3600)"))
      flight.add(ServerStatement("COMMIT"))
      flight.sync()
      flight.add(ServerStatement("ROLLBACK"))
      // If this thread gets no time for so long, the request to cancel comes while BEGIN runs.
      var error: ServerError?, time = Duration.milliseconds(200)
      repeat {
        error = #expect(throws: ServerError.self) { try connection.run(flight, deadline: .now + time) }
        time *= 4
      } while error?.statement == 0 && time < .seconds(900)
      #expect(error?.statement == 1)
      #expect(connection.transactionStatus == .idle)
    }

    @Test func anotherThreadStopsAFlight() throws {
      let connection = try ServerConnection.toTests()
      try connection.onceRunning("pg_sleep") { _ in connection.cancel() }
      let error = #expect(throws: ServerError.self) { try connection.run("SELECT pg_sleep(3600)") }
      #expect(error?.sqlState == "57014")
      #expect(error?.isTimedOut == false)
      #expect(try connection.number("SELECT 1::int8") == 1)
    }

    /// A request to cancel that comes while nothing runs, or at the wrong time, does not stop a later statement.
    @Test func requestsHitNothingElse() throws {
      let connection = try ServerConnection.toTests()
      connection.cancel()
      #expect(try connection.number("SELECT 1::int8") == 1)
      let end = ContinuousClock.now + .seconds(2), isStopped = Atomic(false)
      let thread = Thread {
        while .now < end || !isStopped.load(ordering: .relaxed) { connection.cancel() }
      }
      thread.start()
      var stopped = 0, done = 0
      while .now < end || stopped == 0 {
        do {
          try connection.run("SELECT pg_sleep(0.001)")
          done += 1
        } catch let error as ServerError {
          #expect(error.sqlState == "57014")
          stopped += 1
          isStopped.store(true, ordering: .relaxed)
        }
      }
      while !thread.isFinished { usleep(1000) }
      for _ in 0..<100 { #expect(try connection.number("SELECT 1::int8") == 1) }
    }

    /// The process of the session is stopped, so that it answers neither the statement nor the request to cancel.
    @Test func aServerThatDoesNotAnswerAtAll() throws {
      let connection = try ServerConnection.toTests(), process = connection.serverProcess
      kill(process, SIGSTOP)
      defer { kill(process, SIGCONT) }
      let start = ContinuousClock.now
      let error = #expect(throws: ServerError.self) {
        try connection.run("SELECT 1", deadline: start + .milliseconds(200))
      }
      #expect(error?.sqlState == "57014")
      #expect(error?.isConnectionLost == true)
      #expect(error?.isTimedOut == true)
      #expect(.now - start > .seconds(5))
      #expect(!connection.isUsable)
    }

    @Test func aDeadlineWhileTheServerTakesNothing() throws {
      let connection = try ServerConnection.toTests(), process = connection.serverProcess
      kill(process, SIGSTOP)
      defer { kill(process, SIGCONT) }
      let values = ServerValues.of { $0.append(Data(count: 30 << 20)) }
      let error = #expect(throws: ServerError.self) {
        try connection.run("SELECT length($1)", types: [ServerType.bytes], values, deadline: .now + .milliseconds(200))
      }
      #expect(error?.isConnectionLost == true)
    }

    private struct Enough: Error {}

    @Test func aHandlerThatHasEnoughStopsAStream() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight(), seen = 0, later = 0
      flight.add(ServerStatement("SELECT generate_series(1, 50000000000)"), streams: true) { _ in
        seen += 1
        if seen == 10 { throw Enough() }
      }
      flight.sync()
      flight.add(ServerStatement("SELECT 1")) { _ in later += 1 }
      // All rows would take hours.
      #expect(throws: Enough.self) { try connection.run(flight) }
      #expect(seen == 10)
      #expect(later == 0)
      #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test func theRestOfAShortStreamIsRead() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight()
      flight.add(ServerStatement("BEGIN"))
      flight.add(ServerStatement("SELECT g FROM generate_series(1, 500) g"), streams: true) { _ in throw Enough() }
      #expect(throws: Enough.self) { try connection.run(flight) }
      // The statement was not cancelled, so the transaction has not failed.
      #expect(connection.transactionStatus == .inTransaction)
    }
  }

  @Suite("The patience of flights")
  struct FlightPatienceTests {
    private let start = ContinuousClock.now

    @Test func withoutADeadline() {
      var patience = FlightPatience(deadline: nil)
      #expect(patience.next(isAnswered: false, isAsked: false, now: start) == .wait)
      #expect(patience.next(isAnswered: false, isAsked: false, now: start + .seconds(1000)) == .wait)
      // A cancellation has been requested; the request is repeated until there is an answer.
      #expect(patience.next(isAnswered: false, isAsked: true, now: start + .seconds(1000)) == .wait)
      #expect(patience.limit == start + .seconds(1000.5))
      #expect(patience.next(isAnswered: false, isAsked: true, now: start + .seconds(1000.5)) == .cancel)
      #expect(patience.next(isAnswered: false, isAsked: true, now: start + .seconds(1000.6)) == .wait)
      #expect(patience.next(isAnswered: true, isAsked: true, now: start + .seconds(1002)) == .wait)
    }

    @Test func withADeadline() {
      var patience = FlightPatience(deadline: start + .seconds(2))
      #expect(patience.next(isAnswered: false, isAsked: false, now: start) == .wait)
      #expect(patience.limit == start + .seconds(1))
      #expect(patience.next(isAnswered: false, isAsked: false, now: start + .seconds(1.5)) == .wait)
      #expect(patience.limit == start + .seconds(2))
      #expect(patience.next(isAnswered: false, isAsked: false, now: start + .seconds(2)) == .cancel)
      #expect(patience.limit == start + .seconds(2.5))
      #expect(patience.next(isAnswered: false, isAsked: false, now: start + .seconds(2.5)) == .cancel)
      #expect(patience.next(isAnswered: true, isAsked: false, now: start + .seconds(6.5)) == .wait)
      #expect(patience.limit == start + .seconds(7))
      #expect(patience.next(isAnswered: true, isAsked: false, now: start + .seconds(7)) == .giveUp)
    }
  }
#endif
