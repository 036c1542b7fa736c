import CoreDataTools
import Foundation
import Testing

/// Dates as texts with all their digits.
@Suite struct ExactDateTests {
  /// Every number that is written is read again, whether the calendar is asked or not.
  @Test func whatIsWrittenIsReadAgain() throws {
    var number: UInt64 = 88172645463325252
    func random() -> Double {
      // xorshift: the same numbers each time.
      number ^= number << 13
      number ^= number >> 7
      number ^= number << 17
      return Double(number >> 11) / Double(1 << 53)
    }
    for round in 0..<20_000 {
      let digits = [0, 1, 2, 3, 6, 9][round % 6]
      let span = round % 3 == 0 ? 63_000_000_000.0 : 1_000_000_000.0
      let wish = (random() * 2 - 1) * span
      let seconds = round % 4 == 0 ? wish : try #require(Double(String(format: "%.\(digits)f", wish)))
      let text = try #require(ExactDate.text(seconds))
      #expect(ExactDate.seconds(text) == seconds, "\(text)")
    }
  }

  /// Whole seconds are those of Foundation, on all days of leap years and others, and so are mistakes.
  @Test func daysAreThoseOfTheCalendar() {
    for year in [1000, 1582, 1599, 1600, 1700, 1899, 1900, 1999, 2000, 2001, 2024, 2100, 9999] {
      for month in 0...13 {
        for day in [0, 1, 28, 29, 30, 31, 32] {
          for time in ["00:00:00", "23:59:59", "24:00:00", "12:60:00", "12:00:60"] {
            let text = String(format: "%04d-%02d-%02dT%@Z", year, month, day, time)
            let expected = (try? Date(text, strategy: .iso8601))?.timeIntervalSinceReferenceDate
            #expect(ExactDate.seconds(text) == expected, "\(text)")
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      ("2024-05-10T18:14:11Z", 737_057_651), ("2024-05-10T18:14:11.5Z", 737_057_651.5),
      ("2000-12-31T23:59:59.25Z", -0.75), ("2001-01-01T00:00:00.000000001Z", 1e-9), ("2001-01-01T00:00:00Z", 0),
      ("2024-05-10T20:14:11+02:00", 737_057_651), ("2024-05-10T18:14:11.Z", nil), ("2024-05-10T18:14:11.5", nil),
      ("2024-05-10T18:14:1aZ", nil), ("2024-05-10 18-14-11Z ", nil), ("", nil), ("Z", nil),
      ("2024-05-10T18:14:11.-5Z", nil),
    ] as [(String, Double?)])
  func texts(text: String, seconds: Double?) { #expect(ExactDate.seconds(text) == seconds) }
}
