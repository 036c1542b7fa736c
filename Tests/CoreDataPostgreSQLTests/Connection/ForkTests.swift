#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("After fork", .needsServer)
  struct ForkTests {
    @Test func aChildDoesNotEndItsParentsSession() throws {
      let connection = try ServerConnection.toTests(), process = connection.serverProcess
      try connection.run("CREATE TEMPORARY TABLE t AS SELECT 42::int8 a")
      #expect(try Self.status(ofChild: { Self.use(connection) }) == 0)
      #expect(connection.isUsable)
      #expect(try connection.number("SELECT a FROM t") == 42)
      #expect(try connection.number("SELECT pg_backend_pid()::int8") == Int64(process))
    }

    /// Both would write rows with the same keys, and commits with the same tokens.
    @Test func aChildHasNoKeysAndTokensOfItsParent() throws {
      let keys = ServerKeys(), tokens = CommitTokens()
      keys.add(1, of: 1)
      let token = tokens.next()
      let status = try Self.status {
        if keys.count(of: 1) != 0 || keys.take(1, of: 1) != nil || keys.takeRange(of: 1) != nil { return 1 }
        let own = tokens.next()
        if own == token || !tokens.areOf(own) || tokens.areOf(token) { return 2 }
        let half = { (token: UUID) in unsafeBitCast(token.uuid, to: (UInt64, UInt64).self).0 }
        if half(own) == half(token) { return 3 }
        keys.add(1000, of: 1)
        return keys.take(1, of: 1) == [1000] ? 0 : 4
      }
      #expect(status == 0)
      #expect(keys.take(1, of: 1) == [1])
      #expect(tokens.areOf(token))
    }

    /// Runs `body` in a child process, and returns what the child exits with: what `body` returns.
    private static func status(ofChild body: () -> Int32) throws -> Int32 {
      // Swift does not import `fork`, because the child of a program with threads can do little.
      let symbol = try #require(dlsym(nil, "fork"))
      let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
      var status: Int32 = -1, attempts = 0
      // A thread of another test may have held a lock of the runtime when the child was made, and in the child nothing releases
      // it. Such a child hangs, is ended by the alarm, and tells nothing about connections, so another child is made.
      repeat {
        attempts += 1
        let child = fork()
        if child == 0 {
          alarm(60)
          _exit(body())
        }
        #expect(waitpid(child, &status, 0) == child)
      } while status == SIGALRM && attempts < 10
      return status >> 8 & 0xff | status & 0x7f
    }

    /// Tries to use the connection in the child process; returns 0 if that is refused.
    private static func use(_ connection: ServerConnection) -> Int32 {
      var code: Int32 = 0
      if connection.isUsable { code = 1 }
      do {
        try connection.run("SELECT 1")
        code = 2
      } catch {}
      connection.close()
      return code
    }
  }
#endif
