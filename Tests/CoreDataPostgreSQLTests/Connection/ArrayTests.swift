#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Arrays", .needsServer)
  struct ArrayTests {
    /// Sends an array, and returns the text that the server makes of it.
    private func text(of type: UInt32, _ append: (inout ServerValues) -> Void) throws -> String {
      let connection = try ServerConnection.toTests()
      var text = ""
      let values = ServerValues.of {
        $0.beginArray(of: type)
        append(&$0)
        $0.endArray()
        $0.append(Int32(7))
      }
      try connection.run("SELECT $1::text, $2", types: [ServerType.array(of: type), ServerType.int32], values) {
        text = $0.string(0, 0)
        #expect($0.int32(0, 1) == 7)
      }
      return text
    }

    @Test func eachTypeHasArrays() throws {
      let uuid = UUID()
      #expect(try text(of: ServerType.bool) { $0.append(true) } == "{t}")
      #expect(try text(of: ServerType.int16) { $0.append(Int16(-2)) } == "{-2}")
      #expect(try text(of: ServerType.int32) { $0.append(Int32(-3)) } == "{-3}")
      #expect(try text(of: ServerType.int64) { $0.append(Int64.min) } == "{-9223372036854775808}")
      #expect(try text(of: ServerType.float) { $0.append(Float(0.1)) } == "{0.1}")
      #expect(try text(of: ServerType.double) { $0.append(0.1) } == "{0.1}")
      #expect(try text(of: ServerType.text) { $0.append("a,\"b") } == #"{"a,\"b"}"#)
      #expect(try text(of: ServerType.bytes) { $0.append(Data([0, 255])) } == #"{"\\x00ff"}"#)
      #expect(try text(of: ServerType.char) { $0.append(char: UInt8(ascii: "i")) } == "{i}")
      #expect(try text(of: ServerType.uuid) { $0.append(uuid) } == "{\(uuid.uuidString.lowercased())}")
      #expect(try text(of: ServerType.numeric) { $0.append(Decimal(-12.5)) } == "{-12.5}")
    }

    @Test func elementsMayBeNULL() throws {
      let text = try text(of: ServerType.text) {
        $0.appendNull()
        $0.append("a")
        $0.append("")
        $0.appendNull()
      }
      #expect(text == #"{NULL,a,"",NULL}"#)
      #expect(try self.text(of: ServerType.int64) { $0.appendNull() } == "{NULL}")
    }

    @Test func emptyArrays() throws {
      #expect(try text(of: ServerType.int64) { _ in } == "{}")
      let connection = try ServerConnection.toTests()
      let values = ServerValues.of { $0.append(array: []) }
      try connection.run("SELECT $1, cardinality($1)", types: [ServerType.array(of: ServerType.int64)], values) {
        #expect($0.int64Array(0, 0) == [])
        #expect($0.int32(0, 1) == 0)
      }
    }

    @Test func keysComeBack() throws {
      let connection = try ServerConnection.toTests()
      let keys = ContiguousArray((0..<100_000).map { Int64($0) &* 0x9E37_79B9_7F4A_7C1 })
      let values = ServerValues.of { $0.append(array: keys) }
      try connection.run("SELECT $1", types: [ServerType.array(of: ServerType.int64)], values) {
        #expect($0.int64Array(0, 0) == keys)
      }
      try connection.run("SELECT array_agg(g), array_agg(g) FILTER (WHERE g < 0) FROM generate_series(1, 5) g") {
        #expect($0.int32Array(0, 0) == [1, 2, 3, 4, 5])
        #expect($0.int32Array(0, 1) == [])
      }
    }

    @Test func rowsByUnnest() throws {
      let connection = try ServerConnection.toTests()
      let values = ServerValues.of {
        $0.append(array: 0..<1000)
        $0.beginArray(of: ServerType.text, reserving: 1000)
        for number in 0..<1000 { number % 3 == 0 ? $0.appendNull() : $0.append("row \(number)") }
        $0.endArray()
      }
      let types = [ServerType.array(of: ServerType.int64), ServerType.array(of: ServerType.text)]
      var wrong = 0
      try connection.run("SELECT * FROM unnest($1, $2) t(a, b) ORDER BY a", types: types, values) {
        #expect($0.rowCount == 1000)
        for row in 0..<$0.rowCount {
          let expected = row % 3 == 0 ? nil : "row \(row)"
          if $0.int64(row, 0) != row || ($0.isNull(row, 1) ? nil : $0.string(row, 1)) != expected { wrong += 1 }
        }
      }
      #expect(wrong == 0)
    }
  }
#endif
