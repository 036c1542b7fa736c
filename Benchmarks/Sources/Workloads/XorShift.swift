/// Marsaglia's xorshift64, which makes the same numbers as `Baseline/random.c`.
struct XorShift {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Returns the numbers from 1 to `count` in random order.
  static func order(_ count: Int, seed: UInt64) -> [Int] {
    var numbers = XorShift(seed: seed)
    var order = Array(1...count)
    for place in stride(from: count - 1, to: 0, by: -1) {
      order.swapAt(place, numbers.next(below: UInt32(place + 1)))
    }
    return order
  }

  /// Returns the next number below a limit.
  mutating func next(below limit: UInt32) -> Int { Int(next() % limit) }

  /// Returns the next number.
  mutating func next() -> UInt32 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt32(truncatingIfNeeded: state >> 11)
  }
}

extension FixedWidthInteger {
  /// Returns the hexadecimal digits, padded with zeros. `String(format:)` would take longer than the rest of a photo.
  func hexadecimal(digits: Int, uppercase: Bool = false) -> String {
    let text = String(self, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}
