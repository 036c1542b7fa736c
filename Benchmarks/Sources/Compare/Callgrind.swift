import Foundation

/// Runs a program under callgrind, which counts the instructions of each work separately.
///
/// To have a work counted, the programs run it within a function with this name. Callgrind counts the instructions of its
/// thread from the beginning to the end of the function.
enum Callgrind {
  private static let function = "counted_work"

  /// Whether valgrind is installed.
  static var isInstalled: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/valgrind") }
  }

  /// Counts the instructions of each work that is named.
  static func count(_ program: URL, _ arguments: [String], _ names: [String]) throws -> [String: Double] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "counts")
    let options = [
      "valgrind", "--tool=callgrind", "--quiet", "--callgrind-out-file=\(file.path)", "--combine-dumps=yes",
      "--toggle-collect=\(function)", "--dump-after=\(function)",
    ]
    // The fixed seed of hashing keeps the order in sets and dictionaries the same each time.
    let measurements = try Measurement.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["SWIFT_DETERMINISTIC_HASHING=1"] + options + [program.path] + arguments + names
    ).filter { names.contains($0.name) }
    let counts = try read(file)
    guard Set(measurements.map(\.name)) == Set(names), counts.count == names.count else {
      throw CompareError(
        "\(program.lastPathComponent) \(arguments[0]): \(names.joined(separator: " ")) were to be counted, "
          + "\(measurements.map(\.name).joined(separator: " ")) were, with \(counts.count) counts")
    }
    return Dictionary(uniqueKeysWithValues: zip(measurements.map(\.name), counts))
  }

  /// Returns the sums of the dumps in their order, without the dump at the program's end.
  private static func read(_ file: URL) throws -> [Double] {
    var counts: [Double] = []
    var isWork = false
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("desc: Trigger:") { isWork = line.hasSuffix(function) }
      if isWork, line.hasPrefix("summary: "), let count = Double(line.dropFirst("summary: ".count)) {
        counts.append(count)
      }
    }
    return counts
  }
}
