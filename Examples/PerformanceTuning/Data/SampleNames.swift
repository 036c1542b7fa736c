/// Makes the same names and ratings on every run and every machine.
///
/// The syllables are chosen so that a pattern such as `*e*ie*` matches some names and not others.
public struct SampleNames {
  private static let syllables = [
    "an", "be", "ie", "do", "el", "fa", "gi", "ho", "ri", "jo", "ka", "le", "mie", "no", "se", "pi",
  ]

  private var state: UInt64

  /// Starts the sequence.
  ///
  /// - Parameter seed: Any number but 0; the same seed gives the same names.
  public init(seed: UInt64 = 42) {
    precondition(seed != 0, "A xorshift generator never leaves 0.")
    state = seed
  }

  /// Returns the next name: two to four syllables and the index, which makes the name unique.
  public mutating func next(index: Int) -> String {
    var name = ""
    for _ in 0..<(2 + random() % 3) {
      name += Self.syllables[Int(random() % 16)]
    }
    return name + " \(index)"
  }

  /// Returns the next names, numbered from 0.
  public mutating func next(count: Int) -> [String] {
    (0..<count).map { next(index: $0) }
  }

  /// Returns the rating that belongs to an index: the ratings from 0 to 99 repeat.
  public static func rating(index: Int) -> Int16 {
    Int16(index % 100)
  }

  // Marsaglia's xorshift64: short, and the same in any language.
  private mutating func random() -> UInt32 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt32(truncatingIfNeeded: state >> 11)
  }
}
