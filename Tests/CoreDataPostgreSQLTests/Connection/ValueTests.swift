#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Values", .needsServer)
  struct ValueTests {
    /// Sends a value, and calls `read` with the result: the value that comes back, and the server's text of it.
    private func roundTrip(
      _ type: UInt32, _ name: String, _ append: (inout ServerValues) -> Void,
      _ read: @escaping (borrowing ServerResult) -> Void
    ) throws {
      let connection = try ServerConnection.toTests()
      try connection.run("SELECT $1, $1::text", types: [type], .of(append)) { result in
        #expect(result.rowCount == 1 && result.columnCount == 2)
        #expect(result.columnType(0) == type, "\(name)")
        read(result)
      }
    }

    @Test(arguments: [true, false]) func bools(value: Bool) throws {
      try roundTrip(ServerType.bool, "bool", { $0.append(value) }, { #expect($0.bool(0, 0) == value) })
    }

    @Test(arguments: [Int16.min, -1, 0, 1, 258, .max]) func int16s(value: Int16) throws {
      try roundTrip(ServerType.int16, "int2", { $0.append(value) }) {
        #expect($0.int16(0, 0) == value)
        #expect($0.string(0, 1) == String(value))
      }
    }

    @Test(arguments: [Int32.min, -1, 0, 1, 0x0102_0304, .max]) func int32s(value: Int32) throws {
      try roundTrip(ServerType.int32, "int4", { $0.append(value) }) {
        #expect($0.int32(0, 0) == value)
        #expect($0.string(0, 1) == String(value))
      }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 0x0102_0304_0506_0708, .max]) func int64s(value: Int64) throws {
      try roundTrip(ServerType.int64, "int8", { $0.append(value) }) {
        #expect($0.int64(0, 0) == value)
        #expect($0.string(0, 1) == String(value))
      }
    }

    @Test(arguments: [
      0, -0.0, 0.1, -1.5, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ])
    func doubles(value: Double) throws {
      try roundTrip(ServerType.double, "float8", { $0.append(value) }) {
        #expect($0.double(0, 0).bitPattern == value.bitPattern)
      }
    }

    @Test(arguments: [Float(0), -0.0, 0.1, -1.5, .nan, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func floats(value: Float) throws {
      try roundTrip(ServerType.float, "float4", { $0.append(value) }) {
        #expect($0.float(0, 0).bitPattern == value.bitPattern)
      }
    }

    @Test(arguments: [
      "", "a", "plain text that is longer than sixteen bytes", "😀 e\u{301} ß 漢字", "a\u{FEFF}\u{10FFFF}\n\t'\\",
    ])
    func texts(value: String) throws {
      try roundTrip(ServerType.text, "text", { $0.append(value) }) {
        #expect(Array($0.string(0, 0).utf8) == Array(value.utf8))
        #expect($0.isNull(0, 0) == false)
      }
    }

    @Test(arguments: [[], [0], [0, 255, 1], [UInt8](0...255)]) func datas(value: [UInt8]) throws {
      try roundTrip(ServerType.bytes, "bytea", { $0.append(Data(value)) }) {
        #expect($0.data(0, 0) == Data(value))
        #expect($0.isNull(0, 0) == false)
      }
    }

    @Test func uuids() throws {
      let value = UUID()
      try roundTrip(ServerType.uuid, "uuid", { $0.append(value) }) {
        #expect($0.uuid(0, 0) == value)
        #expect($0.string(0, 1) == value.uuidString.lowercased())
      }
    }

    @Test func chars() throws {
      try roundTrip(ServerType.char, "char", { $0.append(char: UInt8(ascii: "u")) }) {
        #expect($0.char(0, 0) == UInt8(ascii: "u"))
        #expect($0.string(0, 1) == "u")
      }
    }

    @Test(arguments: [ServerType.bool, ServerType.text, ServerType.numeric, ServerType.array(of: ServerType.int64)])
    func nulls(type: UInt32) throws {
      try roundTrip(type, "NULL", { $0.appendNull() }) {
        #expect($0.isNull(0, 0) == true)
        #expect($0.bytes(0, 0).count == 0)
      }
    }

    @Test func manyValuesAreToldApart() throws {
      let connection = try ServerConnection.toTests()
      let values = ServerValues.of {
        $0.append(Int64(1))
        $0.appendNull()
        $0.append("")
        $0.append("two")
        $0.append(Data())
        $0.append(3.5)
      }
      let types = [
        ServerType.int64, ServerType.text, ServerType.text, ServerType.text, ServerType.bytes, ServerType.double,
      ]
      try connection.run("SELECT $1, $2, $3, $4, $5, $6", types: types, values) {
        #expect($0.int64(0, 0) == 1)
        #expect($0.isNull(0, 1) == true)
        #expect($0.string(0, 2) == "" && $0.isNull(0, 2) == false)
        #expect($0.string(0, 3) == "two")
        #expect($0.data(0, 4) == Data() && $0.isNull(0, 4) == false)
        #expect($0.double(0, 5) == 3.5)
      }
    }

    @Test func aTextWithNULIsRefusedBeforeAnythingIsSent() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight()
      flight.add(ServerStatement("BEGIN"))
      flight.add(ServerStatement("SELECT $1", types: [ServerType.text]), .of { $0.append("a\0b") })
      #expect(throws: ServerValueError.containsNUL) { try connection.run(flight) }
      #expect(connection.transactionStatus == .idle)
      #expect(connection.isUsable)
      #expect(connection.flightCount == 0)
    }

    @Test func moreVariablesThanThereMayBeAreRefused() throws {
      let connection = try ServerConnection.toTests()
      var flight = Flight()
      flight.add(ServerStatement("SELECT 1"), .of { for _ in 0...65_535 { $0.append(true) } })
      #expect(throws: ServerValueError.tooMany) { try connection.run(flight) }
      #expect(connection.isUsable)
    }
  }
#endif
