/// Measures the duration of a part of a test.
enum Stopwatch {
  /// Does the work, and returns its result with its duration in seconds.
  static func time<Result>(_ work: () throws -> Result) rethrows -> (result: Result, seconds: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try work()
    return (result, start.duration(to: clock.now) / .seconds(1))
  }

  /// Returns the ratio of two durations, with one decimal.
  static func times(_ slow: Double, _ fast: Double) -> String {
    guard fast > 0 else { return "immeasurably" }
    return "\((slow / fast * 10).rounded() / 10) times"
  }

  /// Returns the seconds with four decimals.
  static func text(_ seconds: Double) -> String {
    let digits = String(Int((seconds * 10_000).rounded()))
    let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    return "\(padded.dropLast(4)).\(padded.suffix(4)) s"
  }
}
