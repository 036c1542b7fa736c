import Foundation

/// The seeds that random tests draw: `SEED=7` repeats one. `RUN_SEED=7` repeats a whole run: each test draws its seeds from that
/// number, so that a test that failed can be run again by itself with the seeds that it had.
public enum RunSeed {
  /// The next seed for a purpose; prints it.
  public static func next(for purpose: String) -> UInt64 {
    let seed = next(for: purpose, environment: ProcessInfo.processInfo.environment)
    print("\(purpose): SEED=\(seed)")
    return seed
  }

  static func next(for purpose: String, environment: [String: String]) -> UInt64 {
    if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return seed }
    guard let run = environment["RUN_SEED"].flatMap({ UInt64($0) }) else { return UInt64.random(in: 1...UInt64.max) }
    // Cases of one test run side by side, and each asks once: together they get the same seeds in each run.
    let number = lock.withLock {
      drawn[purpose, default: 0] += 1
      return drawn[purpose, default: 0]
    }
    // FNV-1a, since Swift's own hash differs from process to process.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(run) \(purpose) \(number)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return max(1, hash)
  }

  /// How many seeds each purpose has drawn; `lock` protects it.
  nonisolated(unsafe) private static var drawn: [String: Int] = [:]
  private static let lock = NSLock()
}
