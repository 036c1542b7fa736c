import Foundation

/// Formats numbers as text for people.
public enum FigureText {
  /// Returns seconds as text, in the unit that suits their size: `1.234 s`, `12.3 ms`, `45 µs`.
  public static func duration(_ seconds: Double) -> String {
    if seconds >= 1 { return String(format: "%.2f s", seconds) }
    if seconds >= 0.1 { return String(format: "%.0f ms", seconds * 1e3) }
    if seconds >= 0.001 { return String(format: "%.1f ms", seconds * 1e3) }
    return String(format: "%.0f µs", seconds * 1e6)
  }

  /// Seconds with three decimals.
  public static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }

  /// Returns a number of bytes as text, in bytes, kB, MB or GB. Each unit is 1,000 of the next smaller unit.
  public static func bytes(_ bytes: Int) -> String {
    let value = Double(bytes)
    if value >= 1e9 { return String(format: "%.2f GB", value / 1e9) }
    if value >= 1e6 { return String(format: "%.1f MB", value / 1e6) }
    if value >= 1e3 { return String(format: "%.1f kB", value / 1e3) }
    return "\(bytes) bytes"
  }

  /// A number with commas between the thousands, whatever the locale.
  public static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.insert(",", at: text.startIndex) }
      text.insert(digit, at: text.startIndex)
    }
    return number < 0 ? "-" + text : text
  }

  /// `1 row`, `1,234 rows`.
  public static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// Returns a part of a whole as text, such as `25%`; a dash if the whole is 0.
  public static func percent(_ part: Double, of whole: Double) -> String {
    whole > 0 ? String(format: "%.0f%%", part / whole * 100) : "-"
  }
}
