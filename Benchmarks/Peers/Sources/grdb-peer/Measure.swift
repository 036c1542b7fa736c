import Foundation

/// A failure that makes a figure worthless.
struct PeerError: Error {
  let description: String
}

/// Runs work once; if that took less than 50 ms of CPU time, again and again until it has taken 200. Prints what
/// `Baseline/measure.c` prints, without memory.
func measure(
  _ name: String, prepare: () throws -> Void = {}, answer: (() throws -> Int)? = nil, work: () throws -> Int
) throws {
  func once() throws -> (cpu: Double, wall: Double, answer: Int) {
    try prepare()
    return try timed(work)
  }
  var total = try once()
  let expected = total.answer
  let told = try answer?() ?? expected
  var repetitions = 1
  if total.cpu < 50 {
    total = (0, 0, expected)
    repetitions = 0
    while total.cpu < 200 {
      let sample = try once()
      guard sample.answer == expected else {
        throw PeerError(description: "\(name): \(expected), then \(sample.answer)")
      }
      total.cpu += sample.cpu
      total.wall += sample.wall
      repetitions += 1
    }
  }
  let times = [total.cpu, total.wall].map { String(format: "%.6f", $0 / Double(repetitions)) }
  print(name, times[0], times[1], repetitions, told, 0, 0, 0)
}

/// Runs work, and returns its CPU and wall time in milliseconds, and its answer.
func timed(_ work: () throws -> Int) throws -> (cpu: Double, wall: Double, answer: Int) {
  let (cpu, clock) = (cpuTime(), ContinuousClock())
  let start = clock.now
  let answer = try work()
  return (cpuTime() - cpu, start.duration(to: clock.now) / .milliseconds(1), answer)
}

/// Of all threads, in milliseconds.
private func cpuTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// A number that tells a sequence of values from any other, as `digest` does in C.
struct Digest {
  private var value: UInt64 = 0

  var answer: Int { Int(truncatingIfNeeded: value) }

  mutating func add(_ next: UInt64) { value = value &* 31 &+ next }
}
