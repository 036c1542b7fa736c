import Foundation

/// A failure that makes a figure worthless.
struct WorkloadError: Error, CustomStringConvertible {
  let description: String
}

/// Runs work once; if that took less than 50 ms of CPU time, again and again until it has taken 200.
///
/// Prints what `Baseline/measure.c` prints: name, CPU ms and wall ms for one repetition, repetitions, answer, and of the
/// first repetition the resident kB before it, after it, and at most. Where instructions are counted: see `Counting`.
///
/// - Parameters:
///   - prepare: Done before each repetition and not counted.
///   - answer: Done after the first repetition and not counted: gives the answer instead.
///   - beside: The CPU milliseconds that other threads took in the repetition before, which are left out.
///   - work: Gives the answer, the same each time.
/// - Returns: The CPU milliseconds of one repetition; not a number where it was not timed.
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

/// Prints a time that follows from those of other measurements, in their form; where instructions are counted there are none.
func report(_ name: String, cpu: Double, answer: Int) {
  if Counting.isOn { return }
  print(name, String(format: "%.6f %.6f", cpu, cpu), 1, answer, "0 0 0")
}

/// Prints how many of something there were in a second, in the form of a measurement.
func report(_ name: String, count: Int, in milliseconds: Double) {
  report(name, cpu: Double(count) * 1e3 / milliseconds, answer: 0)
}

/// Prints an amount of memory in the form of a measurement that has added it.
func report(_ name: String, kilobytes: Int) {
  print(name, "0.000000 0.000000", 1, 0, "0 \(kilobytes) \(kilobytes)")
}

/// The duration of a work in milliseconds, and its answer.
struct Sample {
  var cpu: Double
  var wall: Double
  var answer: Int

  /// Not inlined, so that a profile can be told to collect what runs inside of it.
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
