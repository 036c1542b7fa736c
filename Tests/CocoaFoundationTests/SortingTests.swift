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

@Suite("Orders that selectors ask for")
struct SelectorOrderTests {
  private static let words = ["b", "A", "a", "B", "ä", "item10", "item9", "Item9", "Z", "", "é", "e"]

  private func sorted(_ selector: String, ascending: Bool = true) -> [String] {
    Self.words.sorted(by: [NSSortDescriptor(key: nil, ascending: ascending, selector: Selector(selector))])
  }

  @Test("By code points, and without case")
  func plain() {
    #expect(sorted("compare:") == ["", "A", "B", "Item9", "Z", "a", "b", "e", "item10", "item9", "ä", "é"])
    #expect(
      sorted("caseInsensitiveCompare:") == ["", "A", "a", "b", "B", "e", "item10", "item9", "Item9", "Z", "ä", "é"])
    // Equal words keep their order in a descending sort too.
    #expect(
      sorted("caseInsensitiveCompare:", ascending: false)
        == ["é", "ä", "Z", "item9", "Item9", "item10", "e", "b", "B", "A", "a", ""])
  }

  @Test("As the locale has it")
  func localized() {
    let localized = sorted("localizedCompare:")
    #expect(localized == ["", "a", "A", "ä", "b", "B", "e", "é", "item10", "item9", "Item9", "Z"])
    #expect(
      sorted("localizedCaseInsensitiveCompare:")
        == ["", "A", "a", "ä", "b", "B", "e", "é", "item10", "item9", "Item9", "Z"])
    let standard = sorted("localizedStandardCompare:")
    #expect(standard.filter { $0.lowercased().hasPrefix("item") }.last == "item10")
    #expect(standard.first == "" && standard.last == "Z")
  }

  @Test("Values that are missing come first, whatever the order, and last when it is descending")
  func missing() {
    let rows: [[String: Any]] = [["t": "b"], [:], ["t": NSNull()], ["t": "A"], ["t": ""]]
    for selector in StringOrder.allCases.map(\.rawValue) {
      for ascending in [true, false] {
        let descriptor = NSSortDescriptor(key: "t", ascending: ascending, selector: Selector(selector))
        let texts = rows.sorted(by: [descriptor]).map { $0["t"] as? String }
        #expect(texts == (ascending ? [nil, nil, "", "A", "b"] : ["b", "A", "", nil, nil]), "\(selector)")
      }
    }
  }

  @Test("A comparator gets the values, with a null for what is missing, and is reversed")
  func comparator() {
    let rows: [[String: Any]] = [["n": 10], [:], ["n": 9]]
    let byText = NSSortDescriptor(key: "n", ascending: false) { left, right in
      StringOrder.natural.order("\(left)", "\(right)")
    }
    #expect(rows.sorted(by: [byText]).map { $0["n"] as? Int } == [nil, 9, 10])
    #expect(
      (rows as NSArray).sortedArray(using: [byText]).map { ($0 as? [String: Any])?["n"] as? Int } == [nil, 9, 10])
  }

  @Test("Numbers, dates and truth values have their order with any selector")
  func otherValues() {
    let date = Date()
    for selector in StringOrder.allCases.map(\.rawValue) {
      let descriptor = NSSortDescriptor(key: nil, ascending: true, selector: Selector(selector))
      #expect([10, 9, -1].sorted(by: [descriptor]) == [-1, 9, 10])
      #expect([date, date - 1].sorted(by: [descriptor]) == [date - 1, date])
      #expect([true, false].sorted(by: [descriptor]) == [false, true])
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
    OCDRegisterKeyPath(\Person.name, name: "name")
    OCDRegisterKeyPath(\Person.nick, name: "nick")
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

  /// Toolkits sort a second list by the comparator of a request's descriptor.
  @Test("The comparator is the block that was given, or orders two values as the method does")
  func comparators() {
    let byLength = NSSortDescriptor(key: "name", ascending: false) { first, second in
      (first as? String ?? "").count < (second as? String ?? "").count ? .orderedAscending : .orderedDescending
    }
    #expect(byLength.comparator("ab", "b") == .orderedDescending && byLength.comparator("a", "bb") == .orderedAscending)
    let caseless = NSSortDescriptor(
      key: "name", ascending: false, selector: NSSelectorFromString("caseInsensitiveCompare:"))
    #expect(caseless.comparator("a", "A") == .orderedSame && caseless.comparator("a", "B") == .orderedAscending)
    #expect(NSSortDescriptor(key: nil, ascending: true).comparator(3, 2) == .orderedDescending)
  }
}
