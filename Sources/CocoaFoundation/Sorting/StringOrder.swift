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
    case .localized: left.compare(right, options: [], range: nil, locale: .current)
    case .localizedCaseInsensitive: left.compare(right, options: .caseInsensitive, range: nil, locale: .current)
    case .localizedStandard:
      left.compare(
        right, options: [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering], range: nil, locale: .current)
    }
  }
}
