import CocoaFoundation
import Foundation
import Testing

@Suite("Arguments in a C list")
struct ArgumentListTests {
  private func predicate(_ format: String, _ arguments: [CVarArg]) -> NSPredicate {
    withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
  }

  @Test("Numbers of every width arrive whole")
  func numbers() {
    let made = predicate(
      "a == %d AND b == %ld AND c == %lu AND d == %f AND e == %u AND f == %lld AND g == %x",
      [Int32.min, Int.min, UInt.max, -0.1, UInt32.max, Int64.max, Int32(255)])
    let expected =
      "a == -2147483648 AND b == -9223372036854775808 AND c == 18446744073709551615 AND d == -0.1"
      + " AND e == 4294967295 AND f == 9223372036854775807 AND g == 255"
    #expect(made.description == expected)
    #expect(predicate("a == %d", [7]).description == "a == 7")
    #expect(predicate("a == %hd AND b == %f", [Int16(-2), Float(0.5)]).description == "a == -2 AND b == 0.5")
    #expect(predicate("a < %f", [Double.infinity]).evaluate(with: ["a": 1]))
  }

  @Test("More arguments than registers arrive in order")
  func many() {
    var (arguments, conversions, texts): ([CVarArg], [String], [String]) = ([], [], [])
    for index in 0..<10 {
      arguments += [index, Double(index) + 0.5] as [CVarArg]
      conversions += ["%ld", "%f"]
      texts += ["\(index)", "\(index).5"]
    }
    let (format, expected) = (conversions.joined(separator: ", "), texts.joined(separator: ", "))
    #expect(predicate("a IN {\(format)}", arguments).description == "a IN {\(expected)}")
  }

  @Test("Objects arrive as themselves, values of Swift too")
  func objects() {
    let (uuid, date, decimal) = (UUID(), Date(), Decimal(string: "0.1")!)
    let object = NSObject()
    let values: [(CVarArg, Any)] = [
      ("é\"x", "é\"x"), (NSString("y"), "y"), (uuid, uuid), (date, date), (decimal, decimal), (Data([1]), Data([1])),
      (URL(string: "a:b")!, URL(string: "a:b")!), ([1, 2], [1, 2]), (Set([1]), Set([1])), (object, object),
      (NSNumber(value: 3), 3),
    ]
    for (argument, value) in values {
      let made = predicate("%K == %@", ["key", argument])
      #expect(made == NSPredicate(format: "key == %@", value), "\(value)")
      #expect(made.evaluate(with: ["key": value]), "\(value)")
    }
    #expect(predicate("a IN %@ AND b == '%@'", [["x"]]).description == "a IN {\"x\"} AND b == \"%@\"")
    #expect(predicate("a == %s", ["text".withCString { strdup($0)! }]).description == "a == \"text\"")
  }

  @Test("Formats without arguments, expressions, and texts as before")
  func others() {
    #expect(predicate("a == 1", []).description == "a == 1")
    let expression = withVaList(["a", 2]) { NSExpression(format: "%K * %ld", arguments: $0) }
    #expect(expression.description == "a * 2")
    let text = withVaList([[1, 2], Date(timeIntervalSinceReferenceDate: 0)]) {
      NSString(format: "%@|%@", arguments: $0)
    }
    #expect(text == "[1, 2]|2001-01-01 00:00:00 +0000")
  }
}
