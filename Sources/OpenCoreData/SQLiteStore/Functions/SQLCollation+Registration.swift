import CSQLite
import Foundation
import OpenCocoaFoundation

// The collations that SQLite calls to compare strings.
extension SQLCollation {
  private final class Box: Sendable {
    let collation: SQLCollation

    init(_ collation: SQLCollation) { self.collation = collation }
  }

  private func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
    let first = first.assumingMemoryBound(to: UInt8.self), second = second.assumingMemoryBound(to: UInt8.self)
    if self == .caseInsensitive { return Int32(FoldedOrder.order(first, second, .caseInsensitive).rawValue) }
    let order = stringOrder.order(String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self))
    return Int32(order.rawValue)
  }

  func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_collation_v2(
      connection, SQLiteDialect.name(of: self), SQLITE_UTF8, Unmanaged.passRetained(Box(self)).toOpaque(),
      { pointer, firstCount, first, secondCount, second in
        guard let pointer else { return 0 }
        let collation = Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().collation
        return collation.order(
          UnsafeRawBufferPointer(start: first, count: Int(firstCount)),
          UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
      }, { pointer in pointer.map { Unmanaged<Box>.fromOpaque($0).release() } })
  }
}
