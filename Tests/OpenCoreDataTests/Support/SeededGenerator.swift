import Foundation

/// Random numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// A generator with the seed of the environment (`SEED=1 swift test --filter ...`), or a random one; prints it.
  init(for purpose: String) { self.init(seed: Self.makeSeed(for: purpose)) }

  /// The seed of the environment, or a random one; prints it.
  static func makeSeed(for purpose: String) -> UInt64 {
    let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...UInt64.max)
    print("\(purpose): SEED=\(seed)")
    return seed
  }

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
