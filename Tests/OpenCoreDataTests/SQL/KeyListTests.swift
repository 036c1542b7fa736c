import Testing

@_spi(Store) @testable import OpenCoreData

/// Lists of keys as one variable.
@Suite struct KeyListTests {
  @Test func numbersOfAllLengths() {
    let keys: [Int64] = [0, 7, -10, 99, 100, .max, .min, .max - 1, -1]
    #expect(SQLValue(keys: keys) == .text("[\(keys.map(String.init).joined(separator: ","))]"))
    #expect(SQLValue(keys: []) == .text("[]"))
  }

  @Test func anyNumbers() {
    let seed = UInt64.random(in: 1 ... .max)
    print("key lists: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let keys = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random)
      }
      #expect(SQLValue(keys: keys) == .text("[\(keys.map(String.init).joined(separator: ","))]"))
    }
  }
}
