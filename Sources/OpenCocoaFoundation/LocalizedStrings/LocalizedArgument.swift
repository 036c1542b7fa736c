import Foundation

/// A value that was interpolated into a localized text.
enum LocalizedArgument: Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)

  /// Returns the value as a conversion of a format prints it; nil if the conversion is for values of another kind.
  /// - Parameters:
  ///   - options: flags, width and precision.
  ///   - conversion: the letter of the conversion, without the length of a number, which is known here.
  func formatted(_ options: String, _ conversion: Character, _ locale: Locale) -> String? {
    switch (self, conversion) {
    case (.text(let text), "@"): text
    case (.integer(let number), "d"), (.integer(let number), "i"), (.integer(let number), "D"):
      String(format: "%\(options)lld", locale: locale, number)
    case (.integer(let number), _): Self.unsigned(UInt64(bitPattern: number)).formattedBits(options, conversion, locale)
    case (.unsigned, "d"), (.unsigned, "i"), (.unsigned, "D"), (.unsigned, "U"): formattedBits(options, "u", locale)
    case (.unsigned, _): formattedBits(options, conversion, locale)
    case (.real(let number), _):
      "fFeEgGaA".contains(conversion) ? String(format: "%\(options)\(conversion)", locale: locale, number) : nil
    case (.text, _): nil
    }
  }

  /// Returns a whole number as a conversion of unsigned numbers prints it.
  private func formattedBits(_ options: String, _ conversion: Character, _ locale: Locale) -> String? {
    guard case .unsigned(let number) = self, "uxXo".contains(conversion) else { return nil }
    // With a locale Foundation takes the greater half of all values for negative ones.
    let locale = number > UInt64(Int64.max) ? nil : locale
    return String(format: "%\(options)ll\(conversion)", locale: locale, number)
  }
}
