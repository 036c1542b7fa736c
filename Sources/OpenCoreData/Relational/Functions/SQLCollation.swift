import CSQLite
import Foundation
import OpenCocoaFoundation

/// The orders of strings that SQLite does not know itself, for sort descriptors.
enum SQLCollation: String, Sendable, CaseIterable {
  case caseInsensitive = "NSCollateCaseInsensitive"
  case localized = "NSCollateLocaleSensitive"
  case localizedCaseInsensitive = "NSCollateLocaleSensitiveCaseInsensitive"
  case localizedStandard = "NSCollateFinderlike"

  /// The collation for an order, or nil for the one that SQLite has itself.
  init?(_ order: StringOrder) {
    switch order {
    case .natural: return nil
    case .caseInsensitive: self = .caseInsensitive
    case .localized: self = .localized
    case .localizedCaseInsensitive: self = .localizedCaseInsensitive
    case .localizedStandard: self = .localizedStandard
    }
  }

  /// The order that sort descriptors use in memory.
  private var stringOrder: StringOrder {
    switch self {
    case .caseInsensitive: .caseInsensitive
    case .localized: .localized
    case .localizedCaseInsensitive: .localizedCaseInsensitive
    case .localizedStandard: .localizedStandard
    }
  }

  private final class Box: Sendable {
    let collation: SQLCollation

    init(_ collation: SQLCollation) { self.collation = collation }
  }

  private func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
    if self == .caseInsensitive,
      let order = SQLStringOrder.orderOfASCII(
        first.assumingMemoryBound(to: UInt8.self), second.assumingMemoryBound(to: UInt8.self), ignoresCase: true)
    {
      return Int32(order.rawValue)
    }
    let order = stringOrder.order(String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self))
    return Int32(order.rawValue)
  }

  func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_collation_v2(
      connection, rawValue, SQLITE_UTF8, Unmanaged.passRetained(Box(self)).toOpaque(),
      { pointer, firstCount, first, secondCount, second in
        guard let pointer else { return 0 }
        let collation = Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().collation
        return collation.order(
          UnsafeRawBufferPointer(start: first, count: Int(firstCount)),
          UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
      }, { pointer in pointer.map { Unmanaged<Box>.fromOpaque($0).release() } })
  }
}
