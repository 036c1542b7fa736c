import Foundation

/// One line of a workload's output.
struct Measurement {
  let name: String
  /// The CPU time of one repetition, in milliseconds.
  let cpu: Double
  let repetitions: Int
  let answer: Int
  /// The resident memory that the first repetition has left behind, in kB.
  let kilobytesKept: Int
  /// The largest resident memory that the first repetition has added, in kB.
  let kilobytesAtMost: Int
  /// The largest resident memory of the whole process, in kB.
  let peak: Int

  init?(line: Substring) {
    let parts = line.split(separator: " ")
    guard parts.count == 8, let cpu = Double(parts[1]), let repetitions = Int(parts[3]), let answer = Int(parts[4]),
      let before = Int(parts[5]), let after = Int(parts[6]), let peak = Int(parts[7])
    else { return nil }
    name = String(parts[0])
    self.cpu = cpu
    self.repetitions = repetitions
    self.answer = answer
    self.peak = peak
    kilobytesKept = after - before
    kilobytesAtMost = peak - before
  }

  /// Runs a program and parses its output.
  static func run(_ program: URL, _ arguments: [String]) throws -> [Measurement] {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CompareError("\(program.lastPathComponent) \(arguments[0]) ended with \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap(Measurement.init(line:))
  }
}

/// A run that cannot be used.
struct CompareError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
