import Foundation

/// The orders of strings that a sort descriptor's selector may ask for; a store's collations use the same.
package enum StringOrder: String, CaseIterable, Sendable {
  /// By Unicode scalars.
  case natural = "compare:"
  case caseInsensitive = "caseInsensitiveCompare:"
  case localized = "localizedCompare:"
  case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
  /// As a file browser sorts: numbers by their value.
  case localizedStandard = "localizedStandardCompare:"

  /// The order that a selector asks for.
  package init?(_ selector: Selector) {
    self.init(rawValue: selector.description)
  }

  /// The order of two strings.
  package func order(_ left: String, _ right: String) -> ComparisonResult {
    switch self {
    case .natural: StringBytes.order(left, right)
    case .caseInsensitive:
      StringBytes.order(
        StringFolding.fold(left, case: true, diacritic: false), StringFolding.fold(right, case: true, diacritic: false))
    case .localized: Self.localized(left, right, [])
    case .localizedCaseInsensitive: Self.localized(left, right, .caseInsensitive)
    case .localizedStandard:
      Self.localized(left, right, [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering])
    }
  }

  /// The order of two strings in the current locale.
  ///
  /// Foundation makes a locale of its core for each comparison that a locale is given to; its core knows the current one
  /// by this option (kCFCompareLocalized), which takes less than half the time.
  static func localized(_ left: String, _ right: String, _ options: String.CompareOptions) -> ComparisonResult {
    left.compare(right, options: options.union(.init(rawValue: 32)), range: nil, locale: nil)
  }
}
