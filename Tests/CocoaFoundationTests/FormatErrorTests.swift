import CocoaFoundation
import Foundation
import Testing

@Suite("Formats that are none")
struct FormatErrorTests {
  @Test(
    "The error tells the place and what was expected",
    arguments: [
      ("name = 'Pepe's'", 15, "the quote that ends the string"),
      ("name = 'Pepe' s", 14, "an operator or the end"),
      ("a ==", 4, "an expression"),
      ("a", 1, "a comparison operator"),
      ("a == 1 AND", 10, "an expression"),
      ("(a == 1", 7, "')'"),
      ("a ==[x] 1", 5, "the letters c, d, n, l or w"),
      ("a == 'x", 7, "the quote that ends the string"),
      ("a == %@", 5, "an argument for '%@', of which there are less"),
      ("a == nosuch(1)", 5, "a function"),
      ("a ; b", 2, "an expression or an operator"),
      ("a == 1 1", 7, "an operator or the end"),
      ("a == (b == 1)", 5, "an expression"),
      ("a BETWEEN 5", 10, "two values"),
      ("a MATCHES '('", 10, "a regular expression"),
      ("a == 0xFFFFFFFFFFFFFFFFF", 7, "a number of at most 64 bits to the base 16"),
      ("a == 0b12", 7, "a number of at most 64 bits to the base 2"),
      ("FETCH(a, b, 'x') == 1", 12, "YES or NO"),
      ("a == $\u{3000} * 1", 6, "a name"),
      ("a.@\u{a0} == 1", 3, "a name"),
    ])
  func failure(_ format: String, _ position: Int, _ expected: String) {
    let error = #expect(throws: OCDPredicateFormatError.self) { try NSPredicate(parsing: format) }
    #expect(error?.position == position)
    #expect(error?.expected == expected)
    #expect(error?.description.hasPrefix("Unable to parse the format string \"\(format)\"") == true)
    #expect(error?.line == 1)
    #expect(error?.column == position + 1)
  }

  @Test("A caret stands under the place, in its line")
  func caret() {
    let first = #expect(throws: OCDPredicateFormatError.self) { try NSPredicate(parsing: "größe == == 1") }
    #expect(first?.description.hasSuffix("\ngröße == == 1\n         ^") == true)
    let second = #expect(throws: OCDPredicateFormatError.self) {
      try NSPredicate(parsing: "a == 1\n\tAND b ! 2\nAND c == 3")
    }
    #expect(second?.line == 2)
    #expect(second?.column == 8)
    #expect(second?.description.hasSuffix("\n\tAND b ! 2\n\t      ^") == true)
    let long = String(repeating: "a == 1 OR ", count: 50) + "b !" + String(repeating: " OR a == 1", count: 50)
    let third = #expect(throws: OCDPredicateFormatError.self) { try NSPredicate(parsing: long) }
    let lines = third?.description.split(separator: "\n").suffix(2).map(String.init) ?? []
    #expect(lines.first?.hasPrefix("...") == true && lines.first?.hasSuffix("...") == true)
    #expect(lines.first.map { Array($0)[(lines.last?.count ?? 1) - 1] } == "!")
  }

  @Test(
    "Arguments that do not suit are told",
    arguments: [
      ("%K == 1", [5], "a key path as the argument of %K"),
      ("%K == 1", [nil], "a key path as the argument of %K"),
      ("a == %@ AND b == %@", [1], "an argument for '%@', of which there are less"),
      ("a MATCHES %@", ["["], "a regular expression"),
      ("a BETWEEN %@", [[1, 2, 3]], "two values"),
    ] as [(String, [(any Sendable)?], String)])
  func unsuitable(_ format: String, _ arguments: [(any Sendable)?], _ expected: String) {
    let error = #expect(throws: OCDPredicateFormatError.self) { try NSPredicate(parsing: format, arguments: arguments) }
    #expect(error?.expected == expected)
  }

  @Test("The formats of expressions are told alike")
  func expressions() throws {
    #expect(try NSExpression(parsing: "a + %@", arguments: [2]).description == "a + 2")
    #expect(throws: OCDPredicateFormatError.self) { try NSExpression(parsing: "a +") }
    #expect(throws: OCDPredicateFormatError.self) { try NSExpression(parsing: "a == 1") }
  }

  @Test("Where it cannot be thrown, it stops the program with Apple's message and the place")
  func stops() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "name = 'Pepe's'")
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("NSInvalidArgumentException"))
    #expect(message.contains("Unable to parse the format string \"name = 'Pepe's'\""))
    #expect(message.contains("\nname = 'Pepe's'\n               ^"))
  }
}
