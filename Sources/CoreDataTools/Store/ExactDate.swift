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
    if let seconds = plainSeconds(text) { return seconds }
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

  /// The same for a date in UTC as it is mostly written, such as `2024-05-10T18:14:11.5Z`, without the calendar's help, which
  /// costs more than all else that is done for a date. Nil also for many a text in the format.
  private static func plainSeconds(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count >= 20, bytes[bytes.count - 1] == UInt8(ascii: "Z"), bytes[4] == UInt8(ascii: "-"),
        bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
        bytes[16] == UInt8(ascii: ":"), let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
        let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
        let second = number(bytes[17..<19])
      else { return nil }
      // Before, calendars differ; the last days of months are left to the calendar where not all months have them.
      guard year >= 1600, 1...12 ~= month, 1...28 ~= day, hour < 24, minute < 60, second < 60 else { return nil }
      let whole = (days(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
      let digits = bytes.count - 21
      if digits == -1 { return Double(whole) }
      guard 1...9 ~= digits, bytes[19] == UInt8(ascii: "."), let fraction = number(bytes[20..<20 + digits]) else {
        return nil
      }
      // Both numbers are exact, and so the quotient is the number that is nearest to what is written.
      let power = (0..<digits).reduce(1) { power, _ in power * 10 }
      let (scaled, isTooGreat) = whole.multipliedReportingOverflow(by: power)
      guard !isTooGreat, abs(scaled) < 1 << 52 else { return nil }
      return Double(scaled + fraction) / Double(power)
    }
  }

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var result = 0
    for byte in digits {
      guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
      result = result * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return result
  }

  /// The days from the first of January 2001 to a date of the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years that begin with March have the leap day at their end.
    let years = month > 2 ? year : year - 1, months = (month + 9) % 12
    return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 730_792
  }
}
