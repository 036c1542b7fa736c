import Foundation

/// What the figures were measured on, and of.
struct Machine {
  /// One line for each fact.
  static var facts: [String] {
    let cpu = line(of: "/proc/cpuinfo", beginning: "model name").map { "\($0), " } ?? ""
    let system = line(of: "/etc/os-release", beginning: "PRETTY_NAME", separator: "=") ?? "unknown system"
    return [
      "\(cpu)\(ProcessInfo.processInfo.activeProcessorCount) cores",
      system.trimmingCharacters(in: ["\""]),
      output("swift", "--version").split(separator: "\n").first.map(String.init) ?? "unknown Swift",
      "SQLite " + output("pkg-config", "--modversion", "sqlite3").trimmingCharacters(in: .whitespacesAndNewlines),
      "commit " + output("git", "rev-parse", "--short", "HEAD").trimmingCharacters(in: .whitespacesAndNewlines),
    ]
  }

  private static func line(of path: String, beginning key: String, separator: Character = ":") -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
    return line.split(separator: separator, maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
  }

  private static func output(_ arguments: String...) -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "" }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
