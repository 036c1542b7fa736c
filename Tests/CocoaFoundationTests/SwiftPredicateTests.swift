import CocoaFoundation
import Foundation
import Testing

enum Size: Int, Codable, Sendable {
  case small, large
}

/// An object with a property of every kind that predicates know.
final class Item: NSObject {
  var name = ""
  var nick: String?
  var age = 0
  var small: Int16 = 0
  var rating = 0.0
  var isActive = false
  var isChecked: Bool?
  var date: Date?
  var identifier = UUID()
  var price = Decimal(0)
  var shirt = Size.small
  var numbers: [Int] = []
  var tags: Set<String> = []
  var values: [String: Int] = [:]
  var owner: Item?
  var children: [Item] = []
  var computed: Int { age }

  convenience init(_ name: String, _ change: (Item) -> Void) {
    self.init()
    self.name = name
    change(self)
  }

  nonisolated(unsafe) static let some: [Item] = {
    let ann = Item("Ann") {
      ($0.nick, $0.age, $0.small, $0.rating, $0.isActive) = ("x", 5, 2, 2.5, true)
      ($0.numbers, $0.tags, $0.values, $0.shirt, $0.price) = ([1, 2, 3], ["a", "b"], ["A": 1], .large, 9.75)
      ($0.isChecked, $0.date) = (true, Date(timeIntervalSinceReferenceDate: 100))
    }
    let bob = Item("bob") {
      ($0.age, $0.rating, $0.owner, $0.numbers, $0.tags) = (2, 7, ann, [2], ["b"])
      ($0.isChecked, $0.date) = (false, Date(timeIntervalSinceReferenceDate: 200))
    }
    let empty = Item("") { ($0.nick, $0.age, $0.rating, $0.owner) = ("", -7, -0.5, bob) }
    let parent = Item("Änne\nacc") {
      ($0.nick, $0.age, $0.small, $0.children, $0.values) = ("abc", 12, -3, [ann, bob], ["A": 2, "B": 3])
    }
    return [ann, bob, empty, parent]
  }()
}

/// The predicate has the given format and holds for the same objects as before.
func expect(_ predicate: Predicate<Item>, is format: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let converted = try #require(NSPredicate(predicate), "no counterpart: \(format)", sourceLocation: sourceLocation)
  #expect(converted.description == format, sourceLocation: sourceLocation)
  // A collection is a constant here, which braces are not.
  if !format.contains("IN {") { #expect(NSPredicate(format: format) == converted, sourceLocation: sourceLocation) }
  for item in Item.some {
    // What stops the Swift predicate is nothing that holds.
    let holds = (try? predicate.evaluate(item)) ?? false
    #expect(converted.evaluate(with: item) == holds, "\(item.name): \(format)", sourceLocation: sourceLocation)
  }
}

@Suite("Predicates of Swift")
struct SwiftPredicateTests {
  @Test func comparisons() throws {
    let limit = 2
    try expect(#Predicate { $0.age == limit }, is: "age == 2")
    try expect(#Predicate { $0.age != 2 }, is: "age != 2")
    try expect(#Predicate { $0.age > 3 && $0.name.contains("n") }, is: "age > 3 AND name CONTAINS \"n\"")
    try expect(#Predicate { $0.age < 3 || $0.age >= 12 }, is: "age < 3 OR age >= 12")
    try expect(#Predicate { $0.rating <= 2.5 }, is: "rating <= 2.5")
    try expect(#Predicate { $0.small == -3 }, is: "small == -3")
    let price = Decimal(9.75)
    try expect(#Predicate { $0.price == price }, is: "price == 9.75")
    try expect(#Predicate { $0.name == "bob" }, is: "name == \"bob\"")
    try expect(#Predicate { !($0.name == "bob") }, is: "NOT name == \"bob\"")
    try expect(#Predicate { !($0.age == 2 && $0.age > 1) }, is: "NOT (age == 2 AND age > 1)")
  }

  @Test func booleans() throws {
    try expect(#Predicate { $0.isActive }, is: "isActive == 1")
    try expect(#Predicate { !$0.isActive }, is: "NOT isActive == 1")
    try expect(#Predicate { _ in true }, is: "1 == 1")
    try expect(#Predicate { $0.isActive == ($0.age == 5) }, is: "isActive == TERNARY(age == 5, 1, 0)")
    // A condition that is compared with a constant is that condition, or its opposite.
    try expect(#Predicate { ($0.isActive && true) == true }, is: "isActive == 1 AND 1 == 1")
    try expect(#Predicate { ($0.age > 3) == false }, is: "NOT age > 3")
    try expect(#Predicate { false != ($0.age > 3) }, is: "age > 3")
    try expect(
      #Predicate { $0.isActive ? $0.age == 5 : $0.name == "" },
      is: "TERNARY(isActive == 1, TERNARY(age == 5, 1, 0), TERNARY(name == \"\", 1, 0)) == 1")
    try expect(#Predicate { ($0.isActive ? 1 : 2) == 2 }, is: "TERNARY(isActive == 1, 1, 2) == 2")
  }

  @Test func arithmetic() throws {
    try expect(#Predicate { $0.age + 2 == 4 }, is: "age + 2 == 4")
    try expect(#Predicate { ($0.age - 1) * 2 > 5 }, is: "(age - 1) * 2 > 5")
    try expect(#Predicate { $0.age / 2 == 2 }, is: "age / 2 == 2")
    try expect(#Predicate { $0.rating / 2 == 3.5 }, is: "rating / 2 == 3.5")
    try expect(#Predicate { $0.age % 3 == -1 }, is: "modulus:by:(age, 3) == -1")
    try expect(#Predicate { -$0.age == 7 }, is: "age * -1 == 7")
  }

  @Test func optionals() throws {
    try expect(#Predicate { $0.nick == nil }, is: "nick == nil")
    try expect(#Predicate { $0.nick != "x" }, is: "nick != \"x\"")
    try expect(#Predicate { ($0.nick ?? "z") == "z" }, is: "TERNARY(nick != nil, nick, \"z\") == \"z\"")
    try expect(#Predicate { $0.isChecked ?? true }, is: "TERNARY(isChecked != nil, isChecked, 1) == 1")
    try expect(#Predicate { $0.owner?.name == "Ann" }, is: "owner.name == \"Ann\"")
    try expect(#Predicate { $0.owner?.owner?.age == 5 }, is: "owner.owner.age == 5")
    try expect(#Predicate { $0.nick?.count == 3 }, is: "nick.length == 3")
    try expect(#Predicate { $0.owner!.age == 5 }, is: "owner.age == 5")
    try expect(#Predicate { $0.nick?.contains("b") ?? false }, is: "nick != nil AND nick CONTAINS \"b\"")
    try expect(#Predicate { $0.nick?.contains("b") ?? true }, is: "nick == nil OR nick CONTAINS \"b\"")
    try expect(#Predicate { $0.nick?.isEmpty == false }, is: "nick != nil AND (NOT nick.length == 0)")
    try expect(#Predicate { $0.nick?.isEmpty != false }, is: "nick == nil OR nick.length == 0")
    try expect(
      #Predicate { $0.nick?.isEmpty == nil }, is: "TERNARY(nick != nil, TERNARY(nick.length == 0, 1, 0), nil) == nil")
    try expect(
      #Predicate { ($0.nick.flatMap { $0.count + 1 } ?? 1) == 1 },
      is:
        "TERNARY(TERNARY(nick != nil, nick.length + 1, nil) != nil, TERNARY(nick != nil, nick.length + 1, nil), 1) == 1"
    )
  }

  @Test func strings() throws {
    let (ascending, same) = (ComparisonResult.orderedAscending, ComparisonResult.orderedSame)
    try expect(#Predicate { $0.name.count == 3 }, is: "name.length == 3")
    try expect(#Predicate { $0.name.isEmpty }, is: "name.length == 0")
    try expect(#Predicate { $0.name.starts(with: "A") }, is: "name BEGINSWITH \"A\"")
    try expect(#Predicate { $0.name.starts(with: "") }, is: "1 == 1")
    try expect(#Predicate { $0.name.contains("") }, is: "1 == 1")
    try expect(
      #Predicate { $0.name.contains($0.nick ?? "n") },
      is: "TERNARY(nick != nil, nick, \"n\") == \"\" OR name CONTAINS TERNARY(nick != nil, nick, \"n\")")
    try expect(#Predicate { $0.name.localizedStandardContains("AN") }, is: "name CONTAINS[cdl] \"AN\"")
    try expect(
      #Predicate { $0.name.localizedCompare("b") == ascending }, is: "name <[l] \"b\"")
    try expect(#Predicate { $0.name.localizedCompare("bob") != same }, is: "name !=[l] \"bob\"")
    try expect(#Predicate { $0.name.caseInsensitiveCompare("ANN") == same }, is: "name ==[c] \"ANN\"")
    try expect(#Predicate { $0.name.caseInsensitiveCompare("!") != ascending }, is: "name >=[c] \"!\"")
    try expect(
      #Predicate { $0.name.contains(/a.c|n$/) }, is: "name MATCHES \"(?s:.*)(?:a.c|n$)(?s:.*)\"")
  }

  @Test func collections() throws {
    try expect(#Predicate { $0.numbers.count == 3 }, is: "numbers.@count == 3")
    try expect(#Predicate { $0.tags.isEmpty }, is: "tags.@count == 0")
    try expect(#Predicate { $0.values.count == 2 }, is: "values.@count == 2")
    try expect(#Predicate { $0.numbers.contains(2) }, is: "2 IN numbers")
    try expect(#Predicate { $0.tags.contains("a") }, is: "\"a\" IN tags")
    let ages = [2, 5]
    try expect(#Predicate { ages.contains($0.age) }, is: "age IN {2, 5}")
    let nicks = ["x", nil]
    try expect(#Predicate { nicks.contains($0.nick) }, is: "nick IN {\"x\", <null>} OR nick == nil")
    try expect(#Predicate { ["x"].contains($0.nick) }, is: "nick IN {\"x\"}")
    try expect(
      #Predicate { $0.numbers.contains { $0 == 2 } }, is: "SUBQUERY(numbers, $_local_1, $_local_1 == 2).@count != 0")
    try expect(
      #Predicate { $0.numbers.allSatisfy { !($0 == 2) } },
      is: "SUBQUERY(numbers, $_local_1, NOT (NOT $_local_1 == 2)).@count == 0")
    try expect(
      #Predicate { $0.numbers.allSatisfy { $0 == 2 } },
      is: "SUBQUERY(numbers, $_local_1, NOT $_local_1 == 2).@count == 0")
    try expect(
      #Predicate { $0.numbers.filter { $0 > 1 }.count == 2 },
      is: "SUBQUERY(numbers, $_local_1, $_local_1 > 1).@count == 2")
    try expect(
      #Predicate { item in item.children.contains { $0.age < item.age && $0.numbers.contains { $0 == 3 } } },
      is: "SUBQUERY(children, $_local_1, $_local_1.age < age"
        + " AND SUBQUERY($_local_1.numbers, $_local_2, $_local_2 == 3).@count != 0).@count != 0")
    try expect(#Predicate { $0.numbers.max() == 3 }, is: "numbers.@max.#self == 3")
    try expect(#Predicate { $0.numbers.min() == nil }, is: "numbers.@min.#self == nil")
    try expect(
      #Predicate { $0.numbers.filter { $0 < 3 }.max() == 2 },
      is: "SUBQUERY(numbers, $_local_1, $_local_1 < 3).@max.#self == 2")
    try expect(#Predicate { $0.numbers[0] == 2 }, is: "(SELF.numbers)[0] == 2")
    try expect(#Predicate { $0.numbers.first == 2 }, is: "(SELF.numbers)[FIRST] == 2")
    try expect(#Predicate { $0.children.last?.name == "bob" }, is: "(SELF.children)[LAST].name == \"bob\"")
    try expect(#Predicate { $0.values["A"] == 1 }, is: "(SELF.values)[\"A\"] == 1")
    try expect(
      #Predicate { $0.values["B", default: 7] == 7 },
      is: "TERNARY((SELF.values)[\"B\"] != nil, (SELF.values)[\"B\"], 7) == 7")
  }

  @Test func ranges() throws {
    try expect(#Predicate { (1..<10.5).contains($0.rating) }, is: "1 <= rating AND rating < 10.5")
    try expect(#Predicate { (2...5).contains($0.age) }, is: "age BETWEEN {2, 5}")
    let (closed, half, from, upTo, through) = (2...5, 2..<5, 5..., ..<5, ...5)
    try expect(#Predicate { closed.contains($0.age) }, is: "age BETWEEN {2, 5}")
    try expect(#Predicate { half.contains($0.age) }, is: "2 <= age AND age < 5")
    try expect(#Predicate { from.contains($0.age) }, is: "5 <= age")
    try expect(#Predicate { upTo.contains($0.age) }, is: "age < 5")
    try expect(#Predicate { through.contains($0.age) }, is: "age <= 5")
    try expect(#Predicate { (-9...$0.age).contains(3) }, is: "3 BETWEEN {-9, age}")
  }

  @Test("Constants of every type, and properties of constants")
  func constants() throws {
    let ann = Item.some[0]
    let (identifier, date) = (ann.identifier, Date(timeIntervalSinceReferenceDate: 100))
    let byIdentifier = #Predicate<Item> { $0.identifier == identifier }
    #expect(Item.some.filter { NSPredicate(byIdentifier)!.evaluate(with: $0) } == [ann])
    try expect(#Predicate { $0.date == date }, is: "date == CAST(100.000000, \"NSDate\")")
    let size = Size.large
    try expect(#Predicate { $0.shirt == size }, is: "shirt == 1")
    try expect(#Predicate { $0.shirt.rawValue == 1 }, is: "shirt == 1")
    struct Settings: Codable, Sendable { var limit = 4 }
    let settings = Settings()
    try expect(#Predicate { $0.age > settings.limit }, is: "age > 4")
    let names: Set = ["bob"]
    try expect(#Predicate { names.contains($0.name) }, is: "name IN {\"bob\"}")
  }

  @Test func casts() throws {
    typealias Expressions = PredicateExpressions
    try expect(Predicate { Expressions.TypeCheck<Expressions.Variable<Item>, NSObject>($0) }, is: "1 == 1")
    try expect(
      Predicate {
        Expressions.build_Equal(
          lhs: Expressions.build_KeyPath(
            root: Expressions.ForceCast<Expressions.Variable<Item>, Item>($0), keyPath: \Item.age),
          rhs: Expressions.build_Arg(5))
      }, is: "age == 5")
    try expect(
      Predicate { item in
        Expressions.build_NotEqual(
          lhs: Expressions.ConditionalCast<Expressions.Variable<Item>, NSObject>(item),
          rhs: Expressions.build_NilLiteral())
      }, is: "SELF != nil")
  }

  @Test("What has no counterpart gives nil")
  func unconvertible() {
    #expect(NSPredicate(#Predicate<Item> { $0.computed == 1 }) == nil)
    #expect(NSPredicate(#Predicate<Item> { $0.numbers[0..<1].count == 1 }) == nil)
    #expect(NSPredicate(#Predicate<Item> { $0.numbers.contains([1]) }) == nil)
    #expect(NSPredicate(#Predicate<Item> { $0.tags.contains { $0.utf8.count == 1 } }) == nil)
    #expect(NSPredicate(#Predicate<Item> { $0.values.contains { $0.value == 1 } }) == nil)
    #expect(
      NSPredicate(
        Predicate<NSObject> { PredicateExpressions.TypeCheck<PredicateExpressions.Variable<NSObject>, Item>($0) })
        == nil)
    let range = 1..<2
    #expect(NSPredicate(#Predicate<Item> { _ in range == range }) == nil)
  }

  @Test func expressions() throws {
    let sum = try #require(NSExpression(#Expression<Item, Int> { $0.age + $0.name.count }))
    #expect(sum.description == "age + name.length")
    #expect(sum.expressionValue(with: Item.some[0], context: nil) as? Int == 8)
    #expect(NSExpression(#Expression<Item, Bool> { $0.age > 1 })?.description == "TERNARY(age > 1, 1, 0)")
    #expect(NSExpression(#Expression<Item, Int> { $0.computed }) == nil)
  }

  @Test("The expressions that Foundation lacks here encode and decode")
  func coding() throws {
    typealias Name = PredicateExpressions.Value<String>
    let contains = PredicateExpressions.build_localizedStandardContains(Name("Änne"), Name("an"))
    let decoded = try JSONDecoder().decode(type(of: contains), from: JSONEncoder().encode(contains))
    #expect(try decoded.evaluate(PredicateBindings()))
    let order = PredicateExpressions.build_caseInsensitiveCompare(Name("B"), Name("a"))
    #expect(
      try JSONDecoder().decode(type(of: order), from: JSONEncoder().encode(order)).evaluate(PredicateBindings())
        == ComparisonResult.orderedDescending)
  }
}
