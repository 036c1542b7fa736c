import Foundation

/// The seeds of a random test: `SOAK=20` makes them twenty times as many, `SEED=7` repeats one.
enum RandomSeeds {
  static func seeds(_ count: UInt64) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(1...count * max(1, environment["SOAK"].flatMap(UInt64.init) ?? 1))
  }
}
