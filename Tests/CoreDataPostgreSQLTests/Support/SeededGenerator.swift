import Foundation

/// A generator of random numbers (SplitMix64) that are always the same for a seed. The seed is printed; the environment variable
/// `SEED` sets it.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(for test: String) {
    let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? .random(in: 0...99_999_999)
    print("\(test): SEED=\(seed)")
    state = seed
  }

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
