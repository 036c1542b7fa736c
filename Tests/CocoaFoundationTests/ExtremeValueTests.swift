import CocoaFoundation
import Testing

/// Numbers and dates at the ends of what there is, from outside.
@Suite struct ExtremeValueTests {
  @Test(arguments: [
    ("a == --9223372036854775808", "9223372036854775808"), ("a == -9223372036854775808", "-9223372036854775808"),
    ("a == ---9223372036854775808", "-9223372036854775808"), ("a == -9223372036854775807", "-9223372036854775807"),
    ("a == -18446744073709551615", "-18446744073709551615"), ("a == --18446744073709551615", "18446744073709551615"),
    ("a == -0", "0"),
  ])
  func signsOfLargeIntegers(format: String, value: String) throws {
    let predicate = try #require(try NSPredicate(parsing: format) as? NSComparisonPredicate)
    #expect((predicate.rightExpression.constantValue as? NSNumber)?.description == value)
    #expect(predicate.evaluate(with: ["a": NSDecimalNumber(string: value)]))
  }

  /// Foundation stops the program that prints such a date; messages tell of it all the same.
  @Test func datesThatAreNoNumbersArePrinted() throws {
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    for argument: Any in [date, [date], ["x": date], NSSet(object: NSArray(object: date)), date as Any? as Any] {
      let error = #expect(throws: (any Error).self) { try NSPredicate(parsing: "%K == 1", arguments: [argument]) }
      #expect("\(error as Any)".contains("a date that is not a number"))
    }
    #expect(!NSPredicate(format: "d == %@", date as NSDate).description.isEmpty)
  }

  @Test func deepCollectionsArePrintedInPart() throws {
    var deep: Any = "end"
    for _ in 0..<2_000 { deep = [deep] }
    let error = #expect(throws: (any Error).self) { try NSPredicate(parsing: "%K == 1", arguments: [deep]) }
    #expect("\(error as Any)".contains("..."))
  }
}
