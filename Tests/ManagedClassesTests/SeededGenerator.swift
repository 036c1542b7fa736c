import Foundation

/// Random numbers that a seed repeats. (The target has no other use for FuzzSupport, which has the seeds of other tests.)
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// A generator with a new seed, which it prints; the environment's SEED repeats one.
  init(for purpose: String) {
    let given = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
    let seed = given ?? .random(in: .min ... .max)
    print("\(purpose): SEED=\(seed)")
    self.init(seed: seed)
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
