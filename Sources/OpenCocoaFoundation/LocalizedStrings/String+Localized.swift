import Foundation

// They give way to a client's own `init(localized:)`, which many have for systems without Apple's.
extension String {
  /// Creates a string from a table of a bundle.
  ///
  /// ```swift
  /// let count = 3
  /// // Localizable.strings may have: "%lld entries of %@" = "%2$@: %1$lld";
  /// print(String(localized: "\(count) entries of \("Ada")", comment: "Above the list"))  // 3 entries of Ada
  /// ```
  ///
  /// Differs from Apple (D-SRC-20): values in a table whose conversions do not fit the values are not used, and plural forms
  /// are not chosen.
  /// - Parameters:
  ///   - keyAndValue: the key, which is also the text where the table does not have it.
  ///   - table: the name of the file with the extension `strings`; nil means `Localizable`.
  ///   - bundle: the bundle with the file; nil means the main one. A module's own is `.module`.
  ///   - locale: the locale for the numbers in the text. It does not decide which translation is taken.
  ///   - comment: what translators should know.
  @_disfavoredOverload
  public init(
    localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
    comment: StaticString? = nil
  ) {
    self.init(found: keyAndValue.key, keyAndValue, table, bundle, locale)
  }

  /// Creates a string from a table of a bundle, by a key that is not the text.
  /// - Parameters:
  ///   - key: the key.
  ///   - defaultValue: the text where the table does not have the key.
  ///   - table: the name of the file with the extension `strings`; nil means `Localizable`.
  ///   - bundle: the bundle with the file; nil means the main one. A module's own is `.module`.
  ///   - locale: the locale for the numbers in the text. It does not decide which translation is taken.
  ///   - comment: what translators should know.
  @_disfavoredOverload
  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init(found: "\(key)", defaultValue, table, bundle, locale)
  }

  private init(found key: String, _ value: LocalizationValue, _ table: String?, _ bundle: Bundle?, _ locale: Locale) {
    let found = (bundle ?? .main).localizedString(forKey: key, value: value.key, table: table)
    self = value.filled(into: found, locale)
  }
}
