#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("COPY", .needsServer)
  struct CopyTests {
    /// Returns the bytes of a row with an int4 and a text.
    static func row(_ number: Int32, _ text: String) -> [UInt8] {
      func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
      return bytes(Int16(2)) + bytes(Int32(4)) + bytes(number) + bytes(Int32(text.utf8.count)) + Array(text.utf8)
    }

    @Test(arguments: [1, 100, 10_000]) func rowsAreCopied(rowsAtOnce: Int) throws {
      let connection = try ServerConnection.toTests()
      try connection.run("CREATE TEMPORARY TABLE t (a int4, b text)")
      var next: Int32 = 0
      let copied = try connection.copyIn("COPY t FROM STDIN (FORMAT binary)", deadline: Patience.limit) {
        buffer in
        for _ in 0..<rowsAtOnce where next < 25_000 {
          buffer += Self.row(next, "row \(next)")
          next += 1
        }
        return next < 25_000
      }
      #expect(copied == 25_000)
      #expect(try connection.number("SELECT sum(a)::int8 FROM t WHERE b = 'row ' || a") == 12_499 * 25_000 + 12_500)
      #expect(try connection.number("SELECT count(*) FROM t") == 25_000)
    }

    private struct Stop: Error {}

    @Test func afterACopyThatFailsTheConnectionGoesOn() throws {
      let connection = try ServerConnection.toTests()
      try connection.run("CREATE TEMPORARY TABLE t (a int4 UNIQUE, b text)")
      let doubled = #expect(throws: ServerError.self) {
        try connection.copyIn("COPY t FROM STDIN (FORMAT binary)", deadline: Patience.limit) { buffer in
          for _ in 0..<2 { buffer += Self.row(1, "a") }
          return false
        }
      }
      #expect(doubled?.sqlState == "23505")
      let absent = #expect(throws: ServerError.self) {
        try connection.copyIn("COPY nowhere FROM STDIN (FORMAT binary)", deadline: Patience.limit) { _ in
          Issue.record("nothing is asked for")
          return false
        }
      }
      #expect(absent?.sqlState == "42P01")
      #expect(throws: Stop.self) {
        try connection.copyIn("COPY t FROM STDIN (FORMAT binary)", deadline: Patience.limit) { buffer in
          buffer += Self.row(1, "a")
          throw Stop()
        }
      }
      let broken = #expect(throws: ServerError.self) {
        try connection.copyIn("COPY t FROM STDIN (FORMAT binary)", deadline: Patience.limit) { buffer in
          buffer += [0, 9, 9]
          return false
        }
      }
      #expect(broken?.sqlState == "22P04")
      let other = #expect(throws: ServerError.self) {
        try connection.copyIn("SELECT 1", deadline: Patience.limit) { _ in false }
      }
      #expect(other?.isConnectionLost == false)
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
    }

    @Test func aCopyIsPartOfATransaction() throws {
      let connection = try ServerConnection.toTests()
      try connection.run("CREATE TEMPORARY TABLE t (a int4, b text)")
      try connection.run("BEGIN")
      try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { buffer in
        buffer = Self.row(1, "a")
        return false
      }
      #expect(connection.transactionStatus == .inTransaction)
      try connection.run("ROLLBACK")
      #expect(try connection.number("SELECT count(*) FROM t") == 0)
      // A copy of no rows.
      #expect(try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { _ in false } == 0)
    }

    @Test func aCopyHasADeadline() throws {
      let connection = try ServerConnection.toTests(), other = try ServerConnection.toTests()
      try other.run("CREATE TABLE locked (a int4, b text)")
      defer { try? other.run("ROLLBACK") }
      defer { try? other.run("DROP TABLE locked") }
      try other.run("BEGIN")
      try other.run("LOCK TABLE locked")
      let error = #expect(throws: ServerError.self) {
        try connection.copyIn("COPY locked FROM STDIN (FORMAT binary)", deadline: .now + .milliseconds(200)) { _ in
          false
        }
      }
      #expect(error?.sqlState == "57014")
      #expect(error?.isTimedOut == true)
      #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test func aCopyWhoseSessionIsEnded() throws {
      let connection = try ServerConnection.toTests(), process = connection.serverProcess
      try connection.run("CREATE TEMPORARY TABLE t (a int4, b text)")
      var lots = 0
      let row = Self.row(1, String(repeating: "x", count: 1000))
      let error = #expect(throws: ServerError.self) {
        try connection.copyIn("COPY t FROM STDIN (FORMAT binary)", deadline: Patience.limit) { buffer in
          lots += 1
          if lots == 100 { try ServerConnection.toTests().run("SELECT pg_terminate_backend(\(process), 5000)") }
          for _ in 0..<1000 { buffer += row }
          return lots < 200
        }
      }
      #expect(error?.isConnectionLost == true)
      #expect(!connection.isUsable)
    }
  }
#endif
