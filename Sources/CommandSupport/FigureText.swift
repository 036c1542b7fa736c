import Foundation

/// Formats figures for people.
public enum FigureText {
  /// Returns seconds in a suitable unit: `1.23 s`, `12.3 ms`, `45 µs`.
  public static func duration(_ seconds: Double) -> String {
    if seconds >= 1 { return String(format: "%.2f s", seconds) }
    if seconds >= 0.1 { return String(format: "%.0f ms", seconds * 1e3) }
    if seconds >= 0.001 { return String(format: "%.1f ms", seconds * 1e3) }
    return String(format: "%.0f µs", seconds * 1e6)
  }

  /// Returns seconds with three decimals.
  public static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }

  /// Returns bytes in a suitable unit; units are multiples of 1,000.
  public static func bytes(_ bytes: Int) -> String {
    let value = Double(bytes)
    if value >= 1e9 { return String(format: "%.2f GB", value / 1e9) }
    if value >= 1e6 { return String(format: "%.1f MB", value / 1e6) }
    if value >= 1e3 { return String(format: "%.1f kB", value / 1e3) }
    return "\(bytes) bytes"
  }

  /// Returns a number with commas between the thousands, in every locale.
  public static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.insert(",", at: text.startIndex) }
      text.insert(digit, at: text.startIndex)
    }
    return number < 0 ? "-" + text : text
  }

  /// Returns a number with its noun: `1 row`, `1,234 rows`.
  public static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// Returns a part of a whole as `25%`; a dash if the whole is not above 0.
  public static func percent(_ part: Double, of whole: Double) -> String {
    whole > 0 ? String(format: "%.0f%%", part / whole * 100) : "-"
  }
}
