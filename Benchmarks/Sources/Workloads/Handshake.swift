import Foundation

/// Measurement of work whose flights another process counts, and whose elapsed time is taken at several delays, as in
/// `Baseline/handshake.c`.
///
/// The work is done once before it is measured. Then it is repeated for each line "go" on standard input, until another line
/// comes.
enum Handshake {
  /// Whether flights are counted in this process.
  static let isOn = ProcessInfo.processInfo.environment["BENCHMARKS_HANDSHAKE"] != nil

  /// Prints `begin NAME` after the preparation of the work, and `end NAME <wall ms> <answer>` after the work.
  static func measure(_ name: String, prepare: () throws -> Void, work: () throws -> Int) throws {
    try prepare()
    _ = try work()
    while true {
      try prepare()
      say("begin \(name)")
      guard readLine() == "go" else { return }
      let sample = try Sample(of: work)
      say("end \(name) \(String(format: "%.6f", sample.wall)) \(sample.answer)")
      guard readLine() != nil else { return }
    }
  }

  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
