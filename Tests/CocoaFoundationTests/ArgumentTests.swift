import CocoaFoundation
import Foundation
import Testing

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

  private final class Money: NSObject {
    let amount: Int
    init(_ amount: Int) { self.amount = amount }
    override var description: String { "\(amount) EUR" }
  }

  @Test("Whatever stands before or after an object, String(format:) reads each argument in its place")
  func mixedArguments() {
    let id = UUID()
    let date = Date(timeIntervalSince1970: 0)
    let values: [(CVarArg, String)] = [
      (NSString("ns"), "ns"), ("swift", "swift"), (NSMutableString(string: "m"), "m"), (NSNumber(value: 1.5), "1.5"),
      (NSNumber(value: 7), "7"), (id, "\(id)"), (id as NSUUID, (id as NSUUID).description), (date, "\(date)"),
      (date as NSDate, (date as NSDate).description), (URL(string: "http://a/b?c=d")!, "http://a/b?c=d"),
      (Decimal(string: "1.25")!, "1.25"), ([1, 2], "[1, 2]"), (Set(["x"]), "[\"x\"]"), (["k": 1], "[\"k\": 1]"),
      (Money(5), "5 EUR"), ("", ""), ("%@ %d", "%@ %d"),
    ]
    for (value, text) in values {
      #expect(String(format: "%@ %d", value, 42) == "\(text) 42")
      #expect(String(format: "%d %@ %@", 42, value, value) == "42 \(text) \(text)")
      #expect(String(format: "%.1f|%@|%5.2f|%@", 1.5, value, 2.25, "end") == "1.5|\(text)| 2.25|end")
      #expect(String(format: "%2$@ %1$@", "a", value) == "\(text) a")
      #expect(String(format: "%@ %ld", arguments: [value, 9]) == "\(text) 9")
    }
  }

  @Test("An object that only the arguments hold lives until it is printed")
  func lifetime() {
    for amount in 0..<200 {
      #expect(
        String(format: "%@, %@ %d", Money(amount), Money(-amount), amount) == "\(amount) EUR, \(-amount) EUR \(amount)")
    }
  }
}
