import Foundation
import Synchronization

/// The folded forms of single scalars under a set of options, each computed once in a process.
///
/// A text is folded scalar by scalar where its scalars are independent: such a scalar is folded in the same way whatever is beside
/// it. The scalars that combine with the one before, and those of scripts that need more than a table, are not independent; the
/// general function of `StringFolding` folds the piece of text that they are part of.
final class ScalarFolding: Sendable {
  let options: StringFolding.Options

  /// The folded forms of 256 scalars each, nil before they are needed.
  private let pages: Pages

  /// The folded forms of short pieces with scalars that are not independent.
  let clusters = ClusterCache()

  private static let all = (0..<8).map { ScalarFolding(StringFolding.Options(rawValue: $0)) }

  static func of(_ options: StringFolding.Options) -> ScalarFolding { all[options.rawValue & 7] }

  private init(_ options: StringFolding.Options) {
    self.options = options
    pages = Pages()
  }

  /// The folded form of a scalar: up to seven bytes of UTF-8, the first in the lowest place, and their number in the highest byte.
  /// It is `dependent` if the scalar is not independent.
  typealias Entry = UInt64

  static let dependent: Entry = 0

  @inline(__always) static func count(_ entry: Entry) -> Int { Int(entry >> 56) }

  /// Returns the entry of a scalar that is not ASCII.
  @inline(__always) func entry(_ scalar: UInt32) -> Entry {
    let index = Int(scalar >> 8)
    guard index < Pages.count else { return Self.dependent }
    let page = pages.first[index].load(ordering: .acquiring) ?? makePage(index)
    return page[Int(scalar & 0xFF)]
  }

  /// Returns the entry of a byte of ASCII.
  @inline(__always) func entry(ofASCII byte: UInt8) -> Entry {
    let folds = options.contains(.caseInsensitive) && byte >= 0x41 && byte <= 0x5A
    return 1 << 56 | Entry(folds ? byte | 0x20 : byte)
  }

  @inline(never) private func makePage(_ index: Int) -> UnsafePointer<Entry> {
    let page = UnsafeMutablePointer<Entry>.allocate(capacity: 256)
    page.initialize(repeating: Self.dependent, count: 256)
    fill(page, index)
    let (exchanged, earlier) = pages.first[index].compareExchange(
      expected: nil, desired: UnsafePointer(page), ordering: .acquiringAndReleasing)
    guard !exchanged, let earlier else { return UnsafePointer(page) }
    page.deallocate()
    return earlier
  }

  // The pointer is never changed, and what it points to is atomic. The memory is never freed, as the object is in a global.
  private struct Pages: @unchecked Sendable {
    /// The planes 0 to 2 have all scalars that may be independent.
    static let count = 0x300
    let first: UnsafeMutablePointer<Atomic<UnsafePointer<Entry>?>>

    init() {
      first = .allocate(capacity: Self.count)
      for index in 0..<Self.count { (first + index).initialize(to: Atomic(nil)) }
    }
  }
}
