import Foundation

/// The orders of strings that the selector of a sort descriptor can name. The collations of stores use the same orders.
package enum StringOrder: String, CaseIterable, Sendable {
  /// By Unicode scalars.
  case natural = "compare:"
  case caseInsensitive = "caseInsensitiveCompare:"
  case localized = "localizedCompare:"
  case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
  /// The order of a file browser, where numbers in the text are compared by their value.
  case localizedStandard = "localizedStandardCompare:"

  /// Makes the order that a selector names; nil if there is none.
  package init?(_ selector: Selector) {
    self.init(rawValue: selector.description)
  }

  /// Compares two strings.
  package func order(_ left: String, _ right: String) -> ComparisonResult {
    switch self {
    case .natural: StringBytes.order(left, right)
    case .caseInsensitive: FoldedOrder.order(left, right, .caseInsensitive)
    case .localized: Self.localized(left, right, [])
    case .localizedCaseInsensitive: Self.localized(left, right, .caseInsensitive)
    case .localizedStandard:
      Self.localized(left, right, [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering])
    }
  }

  /// Compares two strings in the current locale.
  ///
  /// If a locale is passed, Foundation makes a CFLocale for each comparison. With the option 32 (kCFCompareLocalized), Core
  /// Foundation uses the current locale itself, which takes less than half the time.
  static func localized(_ left: String, _ right: String, _ options: String.CompareOptions) -> ComparisonResult {
    if StringBytes.equal(left, right) { return .orderedSame }
    return left.compare(right, options: options.union(.init(rawValue: 32)), range: nil, locale: nil)
  }
}
