#if PostgreSQL
  import Foundation
  import Synchronization
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("The pool", .needsServer)
  struct ConnectionPoolTests {
    static func pool(limit: Int) -> ConnectionPool { ConnectionPool(limit: limit) { try ServerConnection.toTests() } }

    @Test func aConnectionIsUsedAgain() throws {
      let pool = Self.pool(limit: 2)
      let first = try pool.take(deadline: Patience.limit), process = first.serverProcess
      pool.give(first)
      let second = try pool.take(deadline: Patience.limit)
      #expect(second.serverProcess == process)
      #expect(pool.openCount == 1)
      pool.give(second)
    }

    @Test func whoWaitsTooLongGetsATimeout() throws {
      let pool = Self.pool(limit: 1)
      let first = try pool.take(deadline: Patience.limit)
      let start = ContinuousClock.now
      #expect(throws: PoolTimeout.self) { try pool.take(deadline: start + .milliseconds(100)) }
      #expect(.now - start >= .milliseconds(100))
      pool.give(first)
      pool.give(try pool.take(deadline: .now))
    }

    /// A holder that has a connection and does not use it.
    final class Rest: ConnectionHolder {
      let connection = Mutex<ServerConnection?>(nil)
      let since = Mutex(ContinuousClock.now)

      func surrender(ifUnusedFor time: Duration) -> ServerConnection? {
        guard .now - since.withLock({ $0 }) >= time else { return nil }
        return connection.withLock {
          let mine = $0
          $0 = nil
          return mine
        }
      }

      var weakly: @Sendable () -> (any ConnectionHolder)? { { [weak self] in self } }
    }

    @Test func aHolderIsAskedWhenSomebodyWaits() throws {
      let pool = Self.pool(limit: 1), rest = Rest()
      let connection = try pool.take(for: rest, deadline: Patience.limit)
      let process = connection.serverProcess
      rest.connection.withLock { $0 = connection }
      let other = try pool.take(deadline: Patience.limit)
      #expect(other.serverProcess == process)
      #expect(rest.connection.withLock { $0 } == nil)
      pool.give(other)
    }

    @Test func aHolderThatRestsForASecondIsAskedAnyway() throws {
      let pool = Self.pool(limit: 4), rest = Rest()
      let connection = try pool.take(for: rest, deadline: Patience.limit)
      rest.since.withLock { $0 = .now }
      rest.connection.withLock { $0 = connection }
      Patience.wait(for: "the pool to ask the holder") { rest.connection.withLock { $0 } == nil }
      #expect(pool.openCount == 1)
    }

    @Test func takersComeInOrder() throws {
      let pool = Self.pool(limit: 1), order = Mutex<[Int]>([])
      let first = try pool.take(deadline: Patience.limit)
      let done = DispatchSemaphore(value: 0)
      for number in 0..<5 {
        Thread.detachNewThread {
          if let connection = try? pool.take(deadline: Patience.limit) {
            order.withLock { $0.append(number) }
            pool.give(connection)
          }
          done.signal()
        }
        Patience.wait(for: "taker \(number)") { pool.waitingCount == number + 1 }
      }
      pool.give(first)
      for _ in 0..<5 { done.wait() }
      #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
      #expect(pool.openCount == 1)
    }

    @Test func manyThreadsShareFewConnections() throws {
      let pool = Self.pool(limit: 3), sum = Atomic<Int>(0), failures = Mutex<[any Error]>([])
      let threads = (0..<8).map { _ in
        Thread {
          do {
            for _ in 0..<50 {
              let rest = Rest(), connection = try pool.take(for: rest, deadline: Patience.limit)
              let number = try connection.number("SELECT 1::int8")
              sum.add(Int(number), ordering: .relaxed)
              // Half of the connections are kept by their holder, which gives them up on request.
              if Bool.random() { pool.give(connection) } else { rest.connection.withLock { $0 = connection } }
              if let mine = rest.surrender(ifUnusedFor: .zero) { pool.give(mine) }
            }
          } catch { failures.withLock { $0.append(error) } }
        }
      }
      for thread in threads { thread.start() }
      while threads.contains(where: { !$0.isFinished }) { usleep(1000) }
      #expect(failures.withLock { $0.count } == 0)
      #expect(sum.load(ordering: .relaxed) == 400)
      #expect((1...3).contains(pool.openCount))
    }

    @Test func aTransactionIsEndedWhileTheConnectionRests() throws {
      let pool = Self.pool(limit: 1)
      let connection = try pool.take(deadline: Patience.limit)
      try connection.run("BEGIN")
      pool.give(connection)
      #expect(pool.openCount == 1)
      pool.endTransactions()
      #expect(connection.transactionStatus == .idle)
      #expect(!pool.needsReaping)
    }

    @Test func whatIsLostIsNotKept() throws {
      let pool = Self.pool(limit: 1)
      let second = try pool.take(deadline: Patience.limit), process = second.serverProcess
      pool.give(second)
      try ServerConnection.toTests().run("SELECT pg_terminate_backend(\(process), 900000)")
      // The session was ended while the connection was in the pool.
      let third = try pool.take(deadline: Patience.limit)
      #expect(third.serverProcess != process)
      #expect(try third.number("SELECT 1::int8") == 1)
      pool.give(third)
    }

    @Test func whatCannotBeOpenedIsThrown() throws {
      struct NoServer: Error {}
      let pool = ConnectionPool(limit: 1) { throw NoServer() }
      for _ in 0..<3 { #expect(throws: NoServer.self) { try pool.take(deadline: Patience.limit) } }
      #expect(pool.openCount == 0)
    }

    @Test func aClosedPoolGivesNothing() throws {
      let pool = Self.pool(limit: 2)
      let first = try pool.take(deadline: Patience.limit), second = try pool.take(deadline: Patience.limit)
      pool.give(second)
      pool.close()
      #expect(!second.isUsable)
      #expect(first.isUsable)
      #expect(throws: PoolClosed.self) { try pool.take(deadline: Patience.limit) }
      pool.give(first)
      #expect(!first.isUsable)
      #expect(pool.openCount == 0)
    }

    @Test func aPoolThatGoesLeavesNoThread() throws {
      weak var reference: ConnectionPool?
      do {
        let pool = Self.pool(limit: 1), rest = Rest()
        reference = pool
        let connection = try pool.take(for: rest, deadline: Patience.limit)
        usleep(300_000)
        pool.give(connection)
      }
      Patience.wait(for: "the end of the pool") { reference == nil }
    }
  }
#endif
