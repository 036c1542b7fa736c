import CSQLite
import CocoaFoundation
import Foundation

/// The orders of strings that SQLite does not know itself, for sort descriptors.
enum SQLCollation: String, Sendable, CaseIterable {
  case caseInsensitive = "NSCollateCaseInsensitive"
  case localized = "NSCollateLocaleSensitive"
  case localizedCaseInsensitive = "NSCollateLocaleSensitiveCaseInsensitive"
  case localizedStandard = "NSCollateFinderlike"

  /// The collation for the selector of a sort descriptor, or nil for one that has none.
  init?(selector: Selector) {
    switch selector.description {
    case "caseInsensitiveCompare:": self = .caseInsensitive
    case "localizedCompare:": self = .localized
    case "localizedCaseInsensitiveCompare:": self = .localizedCaseInsensitive
    case "localizedStandardCompare:": self = .localizedStandard
    default: return nil
    }
  }

  /// The order of two strings.
  func order(_ first: String, _ second: String) -> ComparisonResult {
    switch self {
    case .caseInsensitive: SQLStringOrder.order(first, second, .caseInsensitive)
    case .localized: SQLStringOrder.order(first, second, .localeSensitive)
    case .localizedCaseInsensitive: SQLStringOrder.order(first, second, [.localeSensitive, .caseInsensitive])
    case .localizedStandard:
      first.compare(
        second, options: [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering], range: nil,
        locale: .current)
    }
  }

  private final class Box: Sendable {
    let collation: SQLCollation

    init(_ collation: SQLCollation) { self.collation = collation }
  }

  func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_collation_v2(
      connection, rawValue, SQLITE_UTF8, Unmanaged.passRetained(Box(self)).toOpaque(),
      { pointer, firstCount, first, secondCount, second in
        guard let pointer else { return 0 }
        let collation = Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().collation
        let first = String(decoding: UnsafeRawBufferPointer(start: first, count: Int(firstCount)), as: UTF8.self)
        let second = String(decoding: UnsafeRawBufferPointer(start: second, count: Int(secondCount)), as: UTF8.self)
        return Int32(collation.order(first, second).rawValue)
      }, { pointer in pointer.map { Unmanaged<Box>.fromOpaque($0).release() } })
  }
}
