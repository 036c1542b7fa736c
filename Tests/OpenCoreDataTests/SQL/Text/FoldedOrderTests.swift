import CoreData
import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Texts that are folded only up to the first difference are ordered as their whole folded forms.
@Suite struct FoldedOrderTests {
  @Test func randomPairs() {
    var random = RandomText(random: SeededGenerator(for: "pairs"))
    for _ in 0..<1000 * Soak.factor {
      let left = random.text(), right = random.text(like: left)
      for options in PlainText.allOptions {
        let expected = PlainText.order(left, right, options)
        let message: Comment = "\(options.rawValue): \(left.scalarText) | \(right.scalarText)"
        #expect(FoldedOrder.order(left, right, options) == expected, message)
        #expect(FoldedOrder.order(right, left, options).rawValue == -expected.rawValue, message)
        if options == .caseInsensitive { #expect(StringOrder.caseInsensitive.order(left, right) == expected, message) }
      }
    }
  }

  /// The order is total, also for bytes that are not UTF-8.
  @Test func randomTriples() {
    var random = RandomText(random: SeededGenerator(for: "triples"))
    for _ in 0..<500 * Soak.factor {
      let first = random.text()
      var texts = [first, random.text(like: first), random.text(like: first)].map { random.bytes(of: $0) }
      for options in PlainText.allOptions.dropFirst() {
        texts.sort { Self.order($0, $1, options) == .orderedAscending }
        for (index, text) in texts.enumerated() {
          for later in texts[index...] {
            #expect(Self.order(text, later, options) != .orderedDescending, "\(options.rawValue): \(texts)")
          }
        }
      }
    }
  }

  /// `NSCoreDataStringCompare` and the collation, on the bytes of the database.
  @Test func inSQL() throws {
    let database = try TestDatabase(NSManagedObjectModel())
    var random = RandomText(random: SeededGenerator(for: "orders in SQL"))
    for _ in 0..<200 * Soak.factor {
      let text = random.text()
      let left = random.bytes(of: text), right = random.bytes(of: random.text(like: text))
      for options in PlainText.allOptions {
        let expected = PlainText.order(
          String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self), options)
        let bindings = [SQLValue.blob(Data(left)), .blob(Data(right))]
        let compared = try database.run(
          SQLStatement(
            text: "SELECT NSCoreDataStringCompare(CAST(? AS TEXT), CAST(? AS TEXT), \(options.inSQL.rawValue))",
            bindings: bindings))
        #expect(compared == [[.integer(Int64(expected.rawValue))]], "\(options.rawValue): \(left) | \(right)")
        guard options == .caseInsensitive else { continue }
        let isLess = try database.run(
          SQLStatement(
            text: "SELECT CAST(? AS TEXT) < CAST(? AS TEXT) COLLATE NSCollateCaseInsensitive", bindings: bindings))
        #expect(isLess == [[.integer(expected == .orderedAscending ? 1 : 0)]], "\(left) | \(right)")
      }
    }
  }

  private static func order(
    _ left: [UInt8], _ right: [UInt8], _ options: StringFolding.Options
  ) -> ComparisonResult {
    let result = left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { FoldedOrder.order(left, $0, options) }
    }
    let expected = PlainText.order(
      String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self), options)
    #expect(result == expected, "\(options.rawValue): \(left) | \(right)")
    return result
  }
}
