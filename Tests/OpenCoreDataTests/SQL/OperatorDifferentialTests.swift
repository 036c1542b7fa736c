import Foundation
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

@Suite("Every operator and option gives the answer of the evaluator in memory")
struct OperatorDifferentialTests {
  typealias Operator = NSComparisonPredicate.Operator

  private let constants: [Any?] = [
    nil, 1, 2.5, true, Decimal(string: "2.5"), "", "Anna", "5", Date(timeIntervalSinceReferenceDate: 0.5),
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1)), Data([0]), URL(string: "http://a.b/c"),
    Int64.max,
  ]

  private let values = [
    "name", "age", "weight", "height", "active", "born", "uid", "price", "link", "big", "photo", "boss.name",
    "boss.age", "boss.born", "age + 1", "price * 2", "born + 1", "lowercase(name)", "TERNARY(active == YES, name, nil)",
    "tags.@count", "reports.@max.name", "boss",
  ]

  private func expressions(_ fixture: PeopleFixture) -> [NSExpression] {
    values.map { NSExpression(format: $0) } + constants.map { NSExpression(forConstantValue: $0) }
      + [NSExpression(forConstantValue: fixture.people[0])]
  }

  private func check(
    _ left: NSExpression, _ right: NSExpression, _ type: Operator, _ options: NSComparisonPredicate.Options = [],
    _ fixture: PeopleFixture
  ) throws {
    let predicate = NSComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: .direct, type: type, options: options)
    try DifferentialTests.check(predicate, fixture)
  }

  @Test("Equality and order, with anything on either side")
  func equality() throws {
    let fixture = try PeopleFixture(seed: 99, count: 14)
    let expressions = expressions(fixture)
    let types: [Operator] = [
      .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
    ]
    for left in expressions {
      for right in expressions {
        for type in types { try check(left, right, type, [], fixture) }
      }
    }
  }

  @Test("IN and BETWEEN, with anything on the left")
  func lists() throws {
    let fixture = try PeopleFixture(seed: 98, count: 14)
    let expressions = expressions(fixture)
    let lists = [
      NSExpression(forConstantValue: constants.map { $0 ?? NSNull() }), NSExpression(forConstantValue: [Any]()),
      NSExpression(forConstantValue: [NSNull()]), NSExpression(format: "{age, name, boss.born, price, boss}"),
      NSExpression(format: "{}"),
    ]
    for left in expressions {
      for list in lists {
        try check(left, list, .in, [], fixture)
        try check(list, left, .contains, [.caseInsensitive], fixture)
      }
      for high in expressions {
        let bounds = NSExpression(forAggregate: [expressions[1], high])
        try check(left, bounds, .between, [], fixture)
      }
    }
  }

  @Test("Strings, under every combination of options")
  func strings() throws {
    let fixture = try PeopleFixture(seed: 97, count: 25)
    let left = ["name", "boss.name", "link", "age", "uppercase(name)"].map { NSExpression(format: $0) }
    let names = ["Anna", "änne", "a", "n", "", "5", "STRASSE", "e\u{301}", "\0", "Ａ", "\\", "*"]
    let patterns = ["a*", "?nn?", "*N*e", "b\\*b", "*\0*", "?*", "\\", "*é", "a?b"]
    for number in 0..<32 {
      // c, d, n, l and w in all combinations; n is 4.
      let options = NSComparisonPredicate.Options(rawValue: UInt(number))
      for string in left {
        for other in names.map({ NSExpression(forConstantValue: $0) }) + [NSExpression(forKeyPath: "name")] {
          for type in [
            Operator.equalTo, .notEqualTo, .lessThan, .greaterThanOrEqualTo, .contains, .beginsWith, .endsWith,
          ] {
            try check(string, other, type, options, fixture)
          }
          try check(other, string, .in, options, fixture)
        }
        for pattern in patterns { try check(string, NSExpression(forConstantValue: pattern), .like, options, fixture) }
        for pattern in ["a.*|[b-z]+|5|Straße", "", "\\w+", "(?i)ANNA", ".\0."] {
          try check(string, NSExpression(forConstantValue: pattern), .matches, options, fixture)
        }
        try check(string, NSExpression(forConstantValue: names), .in, options, fixture)
      }
    }
  }
}
