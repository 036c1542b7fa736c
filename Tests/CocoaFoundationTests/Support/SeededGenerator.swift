import Foundation
import FuzzSupport

/// Random numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator {
  /// What repeats the sequence: `SEED=1 swift test --filter ...`.
  let seed: UInt64
  private var state: UInt64

  /// A generator with a seed that `RunSeed` draws for the purpose, and prints.
  init(for purpose: String) { self.init(seed: RunSeed.next(for: purpose)) }

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// How much random tests do: little by default, `SOAK=20` does twenty times as much.
enum Soak {
  static let factor = max(1, Int(ProcessInfo.processInfo.environment["SOAK"] ?? "") ?? 1)
}
