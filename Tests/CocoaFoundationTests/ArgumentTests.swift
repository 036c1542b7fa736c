import CocoaFoundation
import Foundation
import Testing

import class CocoaFoundation.NSComparisonPredicate
import class CocoaFoundation.NSExpression

@Suite("Values as arguments of formats")
struct ArgumentTests {
  @Test("A value that was cast to CVarArg arrives as itself")
  func boxed() throws {
    let values: [CVarArg] = [
      UUID(), Date(), Data([1]), URL(string: "a:b")!, Decimal(1.5), [1, 2], Set([1]), ["a": 1], NSObject(), 5, 2.5,
      NSNumber(value: 3), "x", NSString("y"),
    ]
    for value in values {
      let predicate = try #require(NSPredicate(format: "SELF == %@", value) as? NSComparisonPredicate)
      let constant = try #require(predicate.rightExpression.constantValue)
      #expect(predicate.evaluate(with: value), "\(value)")
      #expect(Operand(constant) == Operand(value), "\(value)")
    }
  }

  @Test("String(format:) prints objects as before, and the new arguments as their text")
  func stringFormat() {
    #expect(String(format: "%@ %@", NSString(string: "ä"), "b") == "ä b")
    #expect(String(format: "%@|%5@|%d", NSMutableString(string: "m"), NSString("n"), 4).hasPrefix("m|"))
    let id = UUID()
    #expect(String(format: "%@ %@", id as CVarArg, [1, 2] as CVarArg) == "\(id) [1, 2]")
    #expect(String(format: "%@ %d", NSNumber(value: 3), 4) == "3 4")
    #expect(String(format: "%ld %.1f %@", 7, 1.5, URL(string: "a:b")! as CVarArg) == "7 1.5 a:b")
  }
}
