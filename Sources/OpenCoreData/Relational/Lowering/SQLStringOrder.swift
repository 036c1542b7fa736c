import Foundation
import OpenCocoaFoundation

/// The order of strings under options, as the evaluator of predicates and the sort descriptors use it.
package enum SQLStringOrder {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The order of two strings.
  package static func order(_ first: String, _ second: String, _ options: SQLStringOptions) -> ComparisonResult {
    guard options.contains(.localeSensitive) else {
      return StringBytes.order(
        StringFolding.fold(first, options.comparisonOptions), StringFolding.fold(second, options.comparisonOptions))
    }
    return StringComparison.localizedOrder(first, second, options: options.comparisonOptions)
  }

  /// The order of two strings that a database holds.
  package static func order(_ first: Bytes, _ second: Bytes, _ options: SQLStringOptions) -> ComparisonResult {
    if !options.contains(.localeSensitive),
      let order = orderOfASCII(first, second, ignoresCase: options.contains(.caseInsensitive))
    {
      return order
    }
    return order(String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self), options)
  }

  /// The order of two ASCII strings, which the options for diacritics and width do not change; nil for other strings.
  /// All bytes are checked, because a combining mark belongs to the letter before it.
  package static func orderOfASCII(_ first: Bytes, _ second: Bytes, ignoresCase: Bool) -> ComparisonResult? {
    guard first.allSatisfy({ $0 < 0x80 }), second.allSatisfy({ $0 < 0x80 }) else { return nil }
    for index in 0..<min(first.count, second.count) {
      var (a, b) = (first[index], second[index])
      if ignoresCase {
        if a >= 0x41, a <= 0x5A { a |= 0x20 }
        if b >= 0x41, b <= 0x5A { b |= 0x20 }
      }
      if a != b { return a < b ? .orderedAscending : .orderedDescending }
    }
    if first.count == second.count { return .orderedSame }
    return first.count < second.count ? .orderedAscending : .orderedDescending
  }
}
