import Foundation
import OpenCocoaFoundation

/// The order of strings under options, as the evaluator of predicates and the sort descriptors use it.
package enum SQLStringOrder {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The order of two strings.
  package static func order(_ first: String, _ second: String, _ options: SQLStringOptions) -> ComparisonResult {
    guard options.contains(.localeSensitive) else {
      return FoldedOrder.order(first, second, StringFolding.Options(options.comparisonOptions))
    }
    return StringComparison.localizedOrder(first, second, options: options.comparisonOptions)
  }

  /// The order of two strings that a database holds.
  package static func order(_ first: Bytes, _ second: Bytes, _ options: SQLStringOptions) -> ComparisonResult {
    let folded = StringFolding.Options(options.comparisonOptions)
    if !options.contains(.localeSensitive), !folded.isEmpty { return FoldedOrder.order(first, second, folded) }
    // Strings are made of the bytes, so that bytes that are not UTF-8 are the same in all orders.
    return order(String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self), options)
  }
}
