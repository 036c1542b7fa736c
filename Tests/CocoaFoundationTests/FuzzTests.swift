import CocoaFoundation
import Foundation
import Testing

@Suite("Formats from outside")
struct FuzzTests {
  @Test("No text makes the parser stop the program")
  func mutations() {
    let pieces = ParsingTests.spellings.map(\.0).flatMap { $0.split(separator: " ").map(String.init) }
    let characters = Array("'\"\\(){}[].,%@K$#=<>!&|*+-/~^:0x1eé\u{0}\n ").map(String.init)
    var random = SystemRandomNumberGenerator()
    var parsed = 0
    for _ in 0..<20_000 {
      let format = (0..<Int.random(in: 1..<12, using: &random)).map { _ in
        (Bool.random(using: &random) ? pieces : characters).randomElement(using: &random) ?? ""
      }.joined(separator: Bool.random(using: &random) ? " " : "")
      if let predicate = try? NSPredicate.parse(format, arguments: [1, "a", nil]) {
        parsed += 1
        #expect((try? NSPredicate.parse(predicate.description)) != nil, "\(format) printed \(predicate)")
      }
    }
    #expect(parsed > 0)
  }
}
