import CocoaFoundation
import Foundation
import Testing

@Suite("Dictionaries and data in predicates")
struct DictionaryTests {
  @Test("Dictionaries are equal when their keys and values are")
  func equality() {
    let predicate = NSPredicate(format: "SELF == %@", ["a": 1])
    #expect(predicate.evaluate(with: ["a": 1]))
    #expect(predicate.evaluate(with: ["a": 1.0] as NSDictionary))
    #expect(!predicate.evaluate(with: ["b": 1]))
    #expect(!predicate.evaluate(with: ["b": 1] as NSDictionary))
    #expect(!predicate.evaluate(with: [1]))
    let nested: [String: Any] = ["a": 1, "b": [1, 2], "c": ["d": Date.distantPast]]
    #expect(NSPredicate(format: "value == %@", nested).evaluate(with: ["value": nested as NSDictionary]))
    #expect(predicate != NSPredicate(format: "SELF == %@", ["b": 1]))
    #expect(predicate == NSPredicate(format: "SELF == %@", ["a": 1] as NSDictionary))
    #expect(predicate.hash == NSPredicate(format: "SELF == %@", ["a": 1] as NSDictionary).hash)
  }

  @Test("What a dictionary contains are its values")
  func values() {
    let dictionary: [String: Any] = ["a": 1, "b": "Two"]
    #expect(NSPredicate(format: "1 IN %@", dictionary).evaluate(with: nil))
    #expect(NSPredicate(format: "SELF CONTAINS[c] 'two'").evaluate(with: dictionary))
    #expect(!NSPredicate(format: "'a' IN %@", dictionary as NSDictionary).evaluate(with: nil))
  }

  @Test("Collections are found in a long collection of collections")
  func collections() {
    let predicate = NSPredicate(format: "SELF IN %@", (0..<5_000).map { [$0, 1] })
    #expect(predicate.evaluate(with: [4_999, 1]))
    #expect(!predicate.evaluate(with: [4_999, 2]))
    #expect(!predicate.evaluate(with: [1, 4_999]))
    #expect(NSPredicate(format: "SELF IN %@", (0..<9).map { ["a": $0] }).evaluate(with: ["a": 8] as NSDictionary))
    #expect(!NSPredicate(format: "SELF IN %@", (0..<9).map { ["a": $0] }).evaluate(with: ["b": 8]))
  }

  @Test("IN finds elements of a long list in the format")
  func longList() {
    let list = (0..<1_000).map { "'s\($0)'" }.joined(separator: ", ")
    let predicate = NSPredicate(format: "SELF IN[c] {nil, 7, \(list)}")
    #expect(predicate.evaluate(with: "S999"))
    #expect(predicate.evaluate(with: 7))
    #expect(!predicate.evaluate(with: "s1000"))
    #expect(!predicate.evaluate(with: nil))
    #expect(NSPredicate(format: "1 IN {a, 2, 3, 4, 5, 6, 7, 8, 9, 10}").evaluate(with: ["a": 1]))
  }

  @Test("Data that begin alike are told apart by their hash")
  func dataHash() {
    let files = (0..<50).map { Data(count: 100) + Data([$0]) }
    #expect(Set(files.map { NSPredicate(format: "SELF == %@", $0).hash }).count > 40)
    #expect(NSPredicate(format: "SELF IN %@", files).evaluate(with: files[49]))
    #expect(!NSPredicate(format: "SELF IN %@", files).evaluate(with: Data(count: 101) + [1]))
  }

  @Test("Dictionaries and data print their contents")
  func printing() {
    #expect("\(NSPredicate(format: "a == %@", ["k": 1, "b": "x"]))" == #"a == {"b" = "x"; "k" = 1;}"#)
    #expect("\(NSPredicate(format: "a == %@", Data([1, 255])))" == "a == {length = 2, bytes = 0x01ff}")
    let long = "\(NSPredicate(format: "a == %@", Data(0..<30)))"
    #expect(long == "a == {length = 30, bytes = 0x000102030405060708090a0b0c0d0e0f ... 161718191a1b1c1d}")
  }
}
