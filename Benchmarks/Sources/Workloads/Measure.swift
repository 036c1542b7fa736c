import Foundation

/// A failure that makes a measurement worthless.
struct WorkloadError: Error, CustomStringConvertible {
  let description: String
}

/// Measures work that runs once; if it took less than 50 ms of CPU time, the work is repeated until it has taken 200 ms.
///
/// Prints the same as `Baseline/measure.c`: name, CPU ms and wall ms of one repetition, repetitions, answer, and for the first
/// repetition the resident kB before it, after it, and at most. For counting instructions, see `Counting`.
///
/// - Parameters:
///   - prepare: Called before each repetition, and not measured.
///   - answer: Called after the first repetition, and not measured: returns the answer in place of the work.
///   - beside: Returns the CPU milliseconds that other threads took in the last repetition, which are left out.
///   - work: Returns the answer, which must be the same each time.
/// - Returns: The CPU milliseconds of one repetition; not a number if the work was not timed.
@discardableResult
func measure(
  _ name: String, prepare: () throws -> Void = {}, answer: (() throws -> Int)? = nil, beside: () -> Double = { 0 },
  work: () throws -> Int
) throws -> Double {
  guard Counting.includes(name) else { return .nan }
  if Counting.isOn {
    try Counting.measure(name, prepare: prepare, answer: answer, work: work)
    return .nan
  }
  if Handshake.isOn {
    try Handshake.measure(name, prepare: prepare, work: work)
    return .nan
  }
  try prepare()
  let before = Memory.resident
  Memory.forgetPeak()
  var total = try Sample(of: work)
  total.cpu -= beside()
  let memory = "\(before) \(Memory.resident) \(Memory.peak)"
  let expected = total.answer
  let answer = try answer?() ?? expected
  var repetitions = 1
  if total.cpu < 50 {
    total.cpu = 0
    total.wall = 0
    repetitions = 0
    while total.cpu < 200 {
      try prepare()
      var sample = try Sample(of: work)
      sample.cpu -= beside()
      guard sample.answer == expected else {
        throw WorkloadError(description: "\(name): \(expected), then \(sample.answer)")
      }
      total.cpu += sample.cpu
      total.wall += sample.wall
      repetitions += 1
    }
  }
  print(
    name, String(format: "%.6f %.6f", total.cpu / Double(repetitions), total.wall / Double(repetitions)),
    repetitions, answer, memory)
  return total.cpu / Double(repetitions)
}

/// Prints a time that is computed from other measurements, in their form; prints nothing if instructions are counted.
func report(_ name: String, cpu: Double, answer: Int) {
  if Counting.isOn { return }
  print(name, String(format: "%.6f %.6f", cpu, cpu), 1, answer, "0 0 0")
}

/// Prints the rate of something per second, in the form of a measurement.
func report(_ name: String, count: Int, in milliseconds: Double) {
  report(name, cpu: Double(count) * 1e3 / milliseconds, answer: 0)
}

/// Prints an amount of memory, in the form of a measurement that has added this amount.
func report(_ name: String, kilobytes: Int) {
  print(name, "0.000000 0.000000", 1, 0, "0 \(kilobytes) \(kilobytes)")
}

/// The durations of a work in milliseconds, and its answer.
struct Sample {
  var cpu: Double
  var wall: Double
  var answer: Int

  /// Runs the work and measures it. This initializer is not inlined, so that a profiler can be told to collect only what runs
  /// inside of it.
  @inline(never)
  init(of work: () throws -> Int) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let before = Self.cpuTime()
    answer = try work()
    cpu = Self.cpuTime() - before
    wall = start.duration(to: clock.now) / .milliseconds(1)
  }

  /// The CPU time of the calling thread so far, in milliseconds.
  static var threadCPU: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  // The CPU time of all threads, in milliseconds.
  private static func cpuTime() -> Double {
    var usage = rusage()
    // Glibc declares the constant as an enumeration and the parameter as an integer.
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) * 1e3 + Double(microseconds) / 1e3
  }
}
