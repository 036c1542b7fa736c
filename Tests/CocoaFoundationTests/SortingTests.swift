import CocoaFoundation
import Foundation
import Testing

@Suite("Orders of strings")
struct StringOrderTests {
  @Test("The locale's orders are those of Foundation for the current locale")
  func localized() {
    let words = ["z", "Ä", "a", "B", "A", "ä", "item10", "item9", "é", "e", "-x", "co-op", "coop", "ß", "ss", "", "日"]
    for left in words {
      for right in words {
        #expect(
          StringOrder.localized.order(left, right)
            == left.compare(right, options: [], range: nil, locale: .current), "\(left) \(right)")
        #expect(
          StringOrder.localizedStandard.order(left, right)
            == left.compare(
              right, options: [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering], range: nil,
              locale: .current), "\(left) \(right)")
      }
    }
  }
}

@Suite("Sort descriptors")
struct SortingTests {
  private let people: [[String: Any]] = [
    ["name": "bob", "age": 30], ["name": "Ann", "age": 20], ["name": "Bob"], ["name": "item10", "age": 30],
    ["name": "item9", "age": 5],
  ]

  private func names(_ descriptors: NSSortDescriptor...) -> [String] {
    let byFoundation = (people as NSArray).sortedArray(using: descriptors) as? [[String: Any]] ?? []
    let byHelper = people.sorted(by: descriptors)
    #expect(byFoundation.map { $0["name"] as? String } == byHelper.map { $0["name"] as? String })
    return byHelper.compactMap { $0["name"] as? String }
  }

  @Test("Objects are sorted by keys, nil first")
  func keys() {
    #expect(names(NSSortDescriptor(key: "name", ascending: true)) == ["Ann", "Bob", "bob", "item10", "item9"])
    #expect(
      names(NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: false))
        == ["item10", "bob", "Ann", "item9", "Bob"])
    #expect(
      names(
        NSSortDescriptor(
          key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
      )
      .suffix(2) == ["item9", "item10"])
    #expect(
      names(
        NSSortDescriptor(key: "name", ascending: true, selector: "caseInsensitiveCompare:"),
        NSSortDescriptor(key: "name", ascending: true)
      ) == ["Ann", "Bob", "bob", "item10", "item9"])
    #expect(
      names(
        NSSortDescriptor(key: "name", ascending: true) { left, right in
          let left = (left as? String)?.count ?? 0
          let right = (right as? String)?.count ?? 0
          return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        }) == ["bob", "Ann", "Bob", "item9", "item10"])
    #expect(
      ([3, 1, 2] as NSArray).sortedArray(using: [NSSortDescriptor(key: nil, ascending: true)]) as? [Int] == [1, 2, 3])
  }

  private final class Person {
    let name: String
    let nick: String?
    init(_ name: String, _ nick: String?) {
      self.name = name
      self.nick = nick
    }
  }

  @Test("Swift key paths sort and have keys")
  func swiftKeyPaths() {
    let byName = NSSortDescriptor(keyPath: \Person.name, ascending: true)
    let byNick = NSSortDescriptor(keyPath: \Person.nick, ascending: false)
    registerKeyPath(\Person.name, name: "name")
    registerKeyPath(\Person.nick, name: "nick")
    #expect(byName.key == "name")
    #expect(byNick.key == "nick")
    #expect(byName.selector == "compare:")
    let people = [Person("b", nil), Person("a", "x"), Person("c", "y")]
    #expect(people.sorted(by: [byNick]).map(\.name) == ["c", "a", "b"])
    #expect(people.sorted(by: [byName]).map(\.name) == ["a", "b", "c"])
    #expect(((people as NSArray).sortedArray(using: [byNick]) as? [Person])?.map(\.name) == ["c", "a", "b"])
  }

  @Test("Descriptors are compared, reversed and described")
  func properties() throws {
    let descriptor = NSSortDescriptor(key: "name", ascending: true)
    let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
    #expect(!reversed.ascending)
    #expect(reversed.key == "name")
    #expect(descriptor == NSSortDescriptor(key: "name", ascending: true))
    #expect(descriptor.hash == NSSortDescriptor(key: "name", ascending: true).hash)
    #expect(descriptor != reversed)
    #expect(descriptor.description == "(name, ascending, compare:)")
    #expect(descriptor.selector == NSSelectorFromString("compare:"))
    #expect(NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }.selector == nil)
  }
}
