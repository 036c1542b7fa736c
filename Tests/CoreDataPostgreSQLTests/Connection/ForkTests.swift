#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("After fork", .needsServer)
  struct ForkTests {
    @Test func aChildDoesNotEndItsParentsSession() throws {
      let connection = try ServerConnection.toTests(), process = connection.serverProcess
      try connection.run("CREATE TEMPORARY TABLE t AS SELECT 42::int8 a")
      // Swift does not import `fork`, because the child of a program with threads can do little.
      let symbol = try #require(dlsym(nil, "fork"))
      let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
      var status: Int32 = -1, attempts = 0
      // A thread of another test may have held a lock of the runtime when the child was made, and in the child nothing releases
      // it. Such a child hangs, is ended by the alarm, and tells nothing about connections, so another child is made.
      repeat {
        attempts += 1
        let child = fork()
        if child == 0 { Self.runChild(connection) }
        #expect(waitpid(child, &status, 0) == child)
      } while status == SIGALRM && attempts < 10
      #expect(status == 0)
      #expect(connection.isUsable)
      #expect(try connection.number("SELECT a FROM t") == 42)
      #expect(try connection.number("SELECT pg_backend_pid()::int8") == Int64(process))
    }

    /// Tries to use the connection in the child process, and exits with 0 if that is refused.
    private static func runChild(_ connection: ServerConnection) -> Never {
      alarm(60)
      var code: Int32 = 0
      if connection.isUsable { code = 1 }
      do {
        try connection.run("SELECT 1")
        code = 2
      } catch {}
      connection.close()
      _exit(code)
    }
  }
#endif
