import OpenCocoaFoundation

/// The orders of strings for sort descriptors, except the order of their bytes.
package enum SQLCollation: Sendable, CaseIterable {
  case caseInsensitive, localized, localizedCaseInsensitive, localizedStandard

  /// The collation for an order; nil for the order of bytes.
  package init?(_ order: StringOrder) {
    switch order {
    case .natural: return nil
    case .caseInsensitive: self = .caseInsensitive
    case .localized: self = .localized
    case .localizedCaseInsensitive: self = .localizedCaseInsensitive
    case .localizedStandard: self = .localizedStandard
    }
  }

  /// The order that sort descriptors use in memory.
  package var stringOrder: StringOrder {
    switch self {
    case .caseInsensitive: .caseInsensitive
    case .localized: .localized
    case .localizedCaseInsensitive: .localizedCaseInsensitive
    case .localizedStandard: .localizedStandard
    }
  }
}
