import CocoaFoundation
import Testing

/// Texts from the tables of a bundle.
@Suite struct LocalizedStringTests {
  /// Runs with a bundle whose tables have these texts.
  private func withBundle(
    _ localizable: String, other: String = "", _ body: (Bundle) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "Localized-\(UUID()).resources")
    let english = folder.appending(path: "en.lproj")
    try FileManager.default.createDirectory(at: english, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try localizable.write(to: english.appending(path: "Localizable.strings"), atomically: true, encoding: .utf8)
    try other.write(to: english.appending(path: "Other.strings"), atomically: true, encoding: .utf8)
    try body(#require(Bundle(url: folder)))
  }

  private let locale = Locale(identifier: "en_US_POSIX")

  @Test func textsAreLookedUp() throws {
    try withBundle("\"menu.open\" = \"Open\"; \"50%\" = \"half\";", other: "\"menu.open\" = \"Unlock\";") { bundle in
      #expect(String(localized: "menu.open", bundle: bundle, comment: "The menu's first line") == "Open")
      #expect(String(localized: "menu.open", table: "Other", bundle: bundle) == "Unlock")
      #expect(String(localized: "menu.close", bundle: bundle) == "menu.close")
      #expect(String(localized: "menu.close", defaultValue: "Close", bundle: bundle, comment: "") == "Close")
      #expect(String(localized: "menu.open", defaultValue: "Close", bundle: bundle) == "Open")
      // Without values nothing is a conversion.
      #expect(String(localized: "50%", bundle: bundle) == "half")
      #expect(String(localized: "60 %d", bundle: bundle) == "60 %d")
      let key = "menu.open"
      #expect(String(localized: String.LocalizationValue(key), bundle: bundle) == "Open")
    }
    #expect(String(localized: "There is no such text in the main bundle.").hasPrefix("There is no"))
  }

  @Test func valuesAreFilledIn() throws {
    let table = """
      "%lld of %@" = "%2$@ has %1$lld";
      "%@ is %lf" = "%2$.1f is %1$@";
      "%lld%% of %lld" = "%lld %% (%05lld)";
      """
    try withBundle(table) { bundle in
      let (count, name) = (3, "Ada")
      #expect(String(localized: "\(count) of \(name)", bundle: bundle, locale: locale) == "Ada has 3")
      #expect(
        String(localized: "\(name) is \(1.25)", bundle: bundle, locale: Locale(identifier: "de_DE")) == "1,2 is Ada")
      #expect(String(localized: "\(50)% of \(7)", bundle: bundle, locale: locale) == "50 % (00007)")
      #expect(String(localized: "\(count) by \(name), 5%", bundle: bundle, locale: locale) == "3 by Ada, 5%")
      #expect(
        String(localized: "key", defaultValue: "\(2.5, specifier: "%.2f") \(name)", bundle: bundle, locale: locale)
          == "2.50 Ada")
    }
  }

  @Test func keysHaveConversions() throws {
    let date = Date(timeIntervalSince1970: 0)
    let formatter = NumberFormatter()
    let value: String.LocalizationValue =
      """
      \("a") \(1) \(UInt(1)) \(Int32(1)) \(UInt8(1)) \(Int64(1)) \(1.5) \(Float(1)) \(date) \(NSNumber(value: 1)) \
      \(NSNumber(value: 1), formatter: formatter) \(5, format: .number) \(5, specifier: "%03lld")
      """
    try withBundle("\"%@ %lld %llu %d %u %lld %lf %f %@ %@ %@ %@ %03lld\" = \"%13$03lld %1$@\";") { bundle in
      #expect(String(localized: value, bundle: bundle, locale: locale) == "005 a")
    }
    #expect(String(localized: value, locale: locale).hasPrefix("a 1 1 1 1 1 1.500000 1.000000 1970-01-01"))
    #expect(value != "a" && String.LocalizationValue("a") == "a")
  }

  /// What translators wrote is not what the program passes: the program's own text is taken, and no memory is read.
  @Test(arguments: [
    "%lld %lld %lld", "%3$lld", "%0$lld", "%@", "%lld %d", "%", "%lld %", "%1$@", "%2$lld", "%s", "%lld %*lld", "%n",
    "%p",
    "%9999lld", "%.99999lld", "%99999999999999999999$lld", "%C", "%f",
  ])
  func translationsThatDoNotFitAreLeft(translation: String) throws {
    try withBundle("\"%lld of %@\" = \"\(translation)\";") { bundle in
      #expect(String(localized: "\(3) of \("Ada")", bundle: bundle, locale: locale) == "3 of Ada")
    }
  }

  @Test(arguments: [
    ("%d", "-1"), ("%i", "-1"), ("%x", "ffffffffffffffff"), ("%hhd", "-1"), ("%+lld|", "-1|"), ("%3lld|", " -1|"),
    ("100%%", "100%"),
  ])
  func conversionsOfWholeNumbers(translation: String, text: String) throws {
    try withBundle("\"%lld!\" = \"\(translation)\";") { bundle in
      #expect(String(localized: "\(-1)!", bundle: bundle, locale: locale) == text)
    }
  }

  /// A specifier of the program's own that does not fit its value.
  @Test func specifiersThatDoNotFit() throws {
    #expect(String(localized: "\(1.5, specifier: "%d")", locale: locale) == "%d")
    #expect(String(localized: "\(UInt64.max, specifier: "%lld")", locale: locale) == "18446744073709551615")
  }
}
