import Foundation

/// The machine and the software on which the figures were measured.
struct Machine {
  /// One line for each fact.
  static var facts: [String] {
    let system = line(of: "/etc/os-release", beginning: "PRETTY_NAME", separator: "=") ?? "unknown system"
    return [
      "\(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores",
      system.trimmingCharacters(in: ["\""]),
      compiler, "SQLite \(sqlite)", "C library \(library)",
      "commit " + output("git", "rev-parse", "--short", "HEAD").trimmingCharacters(in: .whitespacesAndNewlines),
    ]
  }

  /// The versions on which instruction counts depend, besides the sources.
  static var combination: [(name: String, value: String)] {
    let version = compiler.split(separator: " ").first { $0.first?.isNumber == true }.map(String.init)
    return [
      ("processor", processor), ("glibc", library.replacing("glibc ", with: "")), ("sqlite", sqlite),
      ("swift", version ?? "unknown"),
    ]
  }

  /// The model name of the processor.
  static var processor: String {
    line(of: "/proc/cpuinfo", beginning: "model name") ?? "unknown processor"
  }

  private static var compiler: String {
    output("swift", "--version").split(separator: "\n").first { $0.contains("version") }.map(String.init)
      ?? "unknown Swift"
  }

  private static var sqlite: String {
    output("pkg-config", "--modversion", "sqlite3").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static var library: String {
    output("getconf", "GNU_LIBC_VERSION").trimmingCharacters(in: .whitespacesAndNewlines)
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
