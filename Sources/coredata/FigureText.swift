import Foundation

/// Figures as people read them.
enum FigureText {
  /// Seconds in the unit that suits them: `1.234 s`, `12.3 ms`, `45 µs`.
  static func duration(_ seconds: Double) -> String {
    if seconds >= 1 { return String(format: "%.2f s", seconds) }
    if seconds >= 0.1 { return String(format: "%.0f ms", seconds * 1e3) }
    if seconds >= 0.001 { return String(format: "%.1f ms", seconds * 1e3) }
    return String(format: "%.0f µs", seconds * 1e6)
  }

  /// Bytes in the unit that suits them, of 1,000.
  static func bytes(_ bytes: Int) -> String {
    let value = Double(bytes)
    if value >= 1e9 { return String(format: "%.2f GB", value / 1e9) }
    if value >= 1e6 { return String(format: "%.1f MB", value / 1e6) }
    if value >= 1e3 { return String(format: "%.1f kB", value / 1e3) }
    return "\(bytes) bytes"
  }

  /// `1 row`, `1,234 rows`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(TuneText.grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  static func percent(_ part: Double, of whole: Double) -> String {
    whole > 0 ? String(format: "%.0f%%", part / whole * 100) : "-"
  }
}
