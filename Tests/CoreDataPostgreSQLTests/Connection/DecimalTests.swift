#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Decimals", .needsServer)
  struct DecimalTests {
    /// Sends decimals, and returns the decimals that come back, with the server's texts of them.
    private func roundTrip(_ decimals: [Decimal]) throws -> [(Decimal, String)] {
      let connection = try ServerConnection.toTests(),
        values = ServerValues.of { values in
          values.beginArray(of: ServerType.numeric)
          for decimal in decimals { values.append(decimal) }
          values.endArray()
        }
      var found: [(Decimal, String)] = []
      let type = ServerType.array(of: ServerType.numeric)
      try connection.run("SELECT v, v::text FROM unnest($1) WITH ORDINALITY t(v, n) ORDER BY n", types: [type], values)
      {
        for row in 0..<$0.rowCount { found.append(($0.decimal(row, 0), $0.string(row, 1))) }
      }
      return found
    }

    @Test(arguments: [
      "0", "1", "-1", "0.1", "-0.1", "1000", "10000", "1.5", "0.0001", "0.00001", "9999", "99990000",
      "123456789.987654321",
      "99999999999999999999999999999999999999", "-0.00000000000000000000000000000000000001",
      "340282366920938463463374607431768211455", "-34028236692093846346337460743176821145.5", "1e127", "-1e127",
      "1e-128",
      "12345678901234567890123456789012345678e-128", "10000000000000000000000000000000000001e89", "5e-127", "5e126",
    ])
    func known(text: String) throws {
      let decimal = try #require(Decimal(string: text))
      let (read, shown) = try #require(try roundTrip([decimal]).first)
      #expect(read == decimal)
      #expect(DecimalParts(read)?.mantissa == DecimalParts(decimal)?.mantissa)
      // Foundation reads at most 38 digits, and prints no trailing zeros.
      let digits = shown.contains(".") ? shown.replacing(/\.?0*$/, with: "") : shown
      #expect(digits == "\(decimal)")
    }

    @Test func whatIsNotANumber() throws {
      let (read, shown) = try #require(try roundTrip([.nan]).first)
      #expect(read.isNaN)
      #expect(shown == "NaN")
      let connection = try ServerConnection.toTests()
      try connection.run("SELECT 'Infinity'::numeric, '-Infinity'::numeric, 1e200::numeric, 'NaN'::numeric") {
        for column in 0..<4 { #expect($0.decimal(0, column).isNaN == true) }
      }
    }

    @Test func zerosAtTheEnd() throws {
      // A mantissa with trailing zeros, which arithmetic may produce.
      let decimal = DecimalParts(isNegative: false, exponent: -3, mantissa: 12_500_000).decimal
      #expect(decimal == 12_500)
      let (read, shown) = try #require(try roundTrip([decimal]).first)
      #expect(read == 12_500)
      #expect(shown == "12500.000")
      let connection = try ServerConnection.toTests()
      try connection.run("SELECT 1.5000::numeric, 0.000::numeric, 100::numeric(10,4)") {
        #expect($0.decimal(0, 0) == Decimal(string: "1.5"))
        #expect($0.decimal(0, 1) == 0)
        #expect($0.decimal(0, 2) == 100)
      }
    }

    @Test func moreDigitsThanThereIsRoomForAreRounded() throws {
      let connection = try ServerConnection.toTests()
      let long = String(repeating: "1234567890", count: 6)
      try connection.run(
        "SELECT \(long)::numeric, 0.\(long)::numeric, 1e-130::numeric, 6e-129::numeric, 2::numeric / 3, "
          + "\(String(repeating: "9", count: 60))::numeric, \(long)e-140::numeric"
      ) {
        #expect($0.decimal(0, 0) == Decimal(string: "123456789012345678901234567890123456789e21"))
        #expect($0.decimal(0, 1) == Decimal(string: "0.123456789012345678901234567890123456789"))
        #expect($0.decimal(0, 2) == 0)
        #expect($0.decimal(0, 3) == Decimal(string: "1e-128"))
        #expect($0.decimal(0, 4) == Decimal(string: "0.66666666666666666667"))
        #expect($0.decimal(0, 5) == Decimal(string: "1e60"))
        #expect($0.decimal(0, 6).exponent >= -128)
      }
    }

    /// Sends random numbers of all lengths and exponents. The server prints each as Foundation does, and returns the same number.
    @Test func randomNumbers() throws {
      var generator = SeededGenerator(for: "random decimals")
      let decimals = (0..<5_000).map { _ in
        let bits = Int.random(in: 0...127, using: &generator)
        let mantissa = UInt128.random(in: 0...(UInt128.max >> (127 - bits)), using: &generator)
        return DecimalParts(
          isNegative: .random(using: &generator), exponent: .random(in: -128...127, using: &generator),
          mantissa: mantissa
        ).decimal
      }
      var wrong: [String] = []
      for (decimal, (read, shown)) in zip(decimals, try roundTrip(decimals)) {
        let same = read == decimal || (read.isZero && decimal.isZero)
        if !same || shown != Self.text(of: decimal) { wrong.append("\(decimal): \(read), \(shown)") }
      }
      #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }

    /// Returns the text that the server prints: all digits down to the exponent.
    private static func text(of decimal: Decimal) -> String {
      guard let parts = DecimalParts(decimal) else { return "NaN" }
      var digits = String(parts.mantissa)
      if parts.mantissa == 0 {
        digits = "0"
        if parts.exponent >= 0 { return "0" }
      }
      if parts.exponent >= 0 {
        digits += String(repeating: "0", count: parts.exponent)
      } else {
        digits = String(repeating: "0", count: max(0, 1 - parts.exponent - digits.count)) + digits
        digits.insert(".", at: digits.index(digits.endIndex, offsetBy: parts.exponent))
      }
      return (parts.isNegative ? "-" : "") + digits
    }

    /// Random texts of numbers are read in the same way as Foundation reads them, if it reads all of their digits.
    @Test func randomTextsOfTheServers() throws {
      var generator = SeededGenerator(for: "random numeric texts")
      let texts = (0..<2_000).map { _ in
        let whole = (0..<Int.random(in: 1...19, using: &generator)).map { _ in Int.random(in: 0...9, using: &generator)
        }
        let part = (0..<Int.random(in: 1...19, using: &generator)).map { _ in Int.random(in: 0...9, using: &generator) }
        let sign = Bool.random(using: &generator) ? "-" : ""
        return sign + whole.map(String.init).joined() + "." + part.map(String.init).joined()
      }
      let connection = try ServerConnection.toTests(),
        values = ServerValues.of { values in
          values.beginArray(of: ServerType.text)
          for text in texts { values.append(text) }
          values.endArray()
        }
      var wrong: [String] = []
      try connection.run(
        "SELECT v::numeric FROM unnest($1) WITH ORDINALITY t(v, n) ORDER BY n",
        types: [ServerType.array(of: ServerType.text)], values
      ) {
        for row in 0..<$0.rowCount where $0.decimal(row, 0) != Decimal(string: texts[row]) {
          wrong.append("\(texts[row]): \($0.decimal(row, 0))")
        }
      }
      #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }
  }
#endif
