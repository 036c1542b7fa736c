import Foundation

/// Dates as ISO 8601 in UTC with all digits of the seconds, so that the same number can be read back.
public enum ExactDate {
  /// Returns the text of a date in seconds since 2001; nil if the year does not have four digits.
  public static func text(_ seconds: Double) -> String? {
    guard seconds >= -63_113_904_000, seconds < 252_455_616_000, let exact = Decimal(string: "\(seconds)") else {
      return nil
    }
    let whole = seconds.rounded(.down)
    let text = Date(timeIntervalSinceReferenceDate: whole).formatted(Date.ISO8601FormatStyle()).dropLast()
    // The digits are the shortest that mean this double, not those of the binary fraction.
    let fraction = "\(exact - Decimal(Int64(whole)))".dropFirst("0".count)
    return text + fraction + "Z"
  }

  /// Returns the seconds since 2001 of a text in this format; nil for any other text.
  public static func seconds(_ text: String) -> Double? {
    guard let dot = text.firstIndex(of: ".") else {
      return (try? Date(text, strategy: .iso8601))?.timeIntervalSinceReferenceDate
    }
    let digits = text[text.index(after: dot)...].prefix { $0.isASCII && $0.isNumber }
    let rest = text[digits.endIndex...]
    guard !digits.isEmpty, let whole = try? Date(text[..<dot] + rest, strategy: .iso8601),
      let fraction = Decimal(string: "0." + digits)
    else { return nil }
    return Double("\(Decimal(Int64(whole.timeIntervalSinceReferenceDate)) + fraction)")
  }

  /// Returns the date of a typed text: without a time, midnight; without a zone, in UTC. Nil for any other text.
  public static func date(typed text: String) -> Date? {
    let pattern = /(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?)?/
    guard let parts = try? pattern.wholeMatch(in: text)?.output else { return nil }
    let time = "\(parts.2 ?? "00:00")\(parts.3 ?? ":00")\(parts.4.map { $0.uppercased() } ?? "Z")"
    return seconds("\(parts.1)T\(time)").map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}
