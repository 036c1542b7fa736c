import Foundation
import OpenCocoaFoundation

@_spi(Store) @testable import OpenCoreData

/// Predicates with sets, functions, subqueries through values, and computed sides.
extension RandomPredicates {
  func computed(_ random: inout SeededGenerator) -> NSPredicate {
    let one = operators.randomElement(using: &random) ?? "=="
    let other = operators.randomElement(using: &random) ?? "=="
    let number = number(&random)
    let value = constant(&random)
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return NSPredicate(format: "%@ \(one) \(arithmetic(&random))", number)
    case 1: return NSPredicate(format: "\(arithmetic(&random)) \(one) \(arithmetic(&random))")
    case 2: return NSPredicate(format: "\(arithmetic(&random)) BETWEEN {\(arithmetic(&random)), %@}", number)
    case 3:
      return NSPredicate(
        format: "%@ BETWEEN {boss.age, age + 2} OR name BETWEEN {boss.name, %@}", number, string(&random))
    case 4:
      return NSPredicate(format: "price * 3 \(one) 7.5 OR price + %@ \(other) %@", decimal(&random), decimal(&random))
    case 5:
      return NSPredicate(format: "reports.@sum.price \(one) %@ OR boss.reports.@avg.price \(other) 1", decimal(&random))
    case 6:
      let function =
        ["sum", "min", "max", "average", "median", "stddev", "count"].randomElement(using: &random) ?? "sum"
      return NSPredicate(format: "\(function)({age, weight, boss.age, %@}) \(one) %@", number, number)
    case 7:
      return NSPredicate(
        format: "max(name, boss.name, %@) \(one) name OR min({price, %@, age}) \(other) age", string(&random),
        decimal(&random))
    case 8: return NSPredicate(format: "median(reports.age) \(one) %@ OR stddev(boss.reports.age) \(other) 0.5", number)
    case 9:
      return NSPredicate(
        format:
          "{age, weight, boss.age}[\(Int.random(in: 0...3, using: &random))] \(one) %@ OR {name, boss.name}[LAST] \(other) %@",
        number, string(&random))
    case 10:
      return NSPredicate(
        format: "CAST(name, 'NSNumber') \(one) %@ OR CAST(age, 'NSString') \(other) %@", number, string(&random))
    case 11:
      return NSPredicate(format: "CAST(weight, 'NSDate') \(one) born OR CAST(born, 'NSNumber') / 2 \(other) %@", number)
    case 12:
      return NSPredicate(
        format: "CAST(age, 'NSDecimalNumber') / 4 \(one) %@ OR CAST(name, 'NSDecimalNumber') \(other) 5",
        decimal(&random))
    case 13:
      return NSPredicate(
        format: "TERNARY(age > 1, name, boss.name) \(one) %@ OR TERNARY(name == nil, nil, born) \(other) %@",
        string(&random), value)
    case 14:
      let (first, second) = (people.randomElement(using: &random), people.randomElement(using: &random))
      return NSPredicate(
        format: "TERNARY(active == YES, boss, %@) == %@ OR TERNARY(age > 0, SELF, boss) \(one) %@", first, second, first
      )
    case 15: return NSPredicate(format: "(born - boss.born) / 2 \(one) %@ OR born + 1 \(other) %@", number, value)
    case 16: return NSPredicate(format: "now() \(one) born OR now() - 1 \(other) boss.born")
    case 17:
      return NSPredicate(
        format: "%@ IN {name, boss.name, lowercase(name)} OR {age, 1, boss.age} CONTAINS %@", string(&random), number)
    case 18: return NSPredicate(format: "abs(price) / 2 \(one) %@ OR abs(-age) \(other) age ** 2", number)
    case 19:
      return NSPredicate(
        format: "entity IN %@ OR ANY reports.entity == %@", [people.first?.entity as Any, 3], people.last?.entity)
    case 20:
      return NSPredicate(format: "uppercase(name) \(one)\(option(&random)) boss.name OR length(boss.name) \(other) age")
    case 21:
      return NSPredicate(
        format:
          "name \(text(&random))\(option(&random)) boss.name OR boss.name \(text(&random))\(option(&random)) lowercase(name)"
      )
    case 22:
      return NSPredicate(
        format: "ANY {age, boss.age, weight} \(one) %@ OR ALL {age, boss.age} \(other) %@", number, number)
    default:
      return NSPredicate(format: "noindex(born) \(one) %@ OR noindex(name) \(text(&random)) %@", value, string(&random))
    }
  }

  func sets(_ random: inout SeededGenerator) -> NSPredicate {
    let one = operators.randomElement(using: &random) ?? "=="
    let count = [0, 1, 2, 0.0, 0.5, -1, 3].randomElement(using: &random) ?? 0
    let some = (0..<3).compactMap { _ in tags.randomElement(using: &random) }
    let few = (0..<3).compactMap { _ in people.randomElement(using: &random) }
    let tag = tags.randomElement(using: &random)
    let sign = ["UNION", "INTERSECT", "MINUS"].randomElement(using: &random) ?? "UNION"
    let another = ["UNION", "INTERSECT", "MINUS"].randomElement(using: &random) ?? "UNION"
    let found = "SUBQUERY(tags, $t, $t.rank > \(Int.random(in: -2...2, using: &random)))"
    switch Int.random(in: 0..<22, using: &random) {
    case 0: return NSPredicate(format: "ANY (tags \(sign) %@) == %@", some, tag)
    case 1: return NSPredicate(format: "(tags \(sign) %@).@count \(one) %@", some, count)
    case 2: return NSPredicate(format: "(%@ \(sign) tags).@count \(one) %@", some, count)
    case 3: return NSPredicate(format: "%@ IN (tags \(sign) \(found))", tag)
    case 4: return NSPredicate(format: "((tags \(sign) %@) \(another) \(found)).@count \(one) %@", some, count)
    case 5: return NSPredicate(format: "(reports.age \(sign) %@).@count \(one) %@", [1, 2, 2.5, 3], count)
    case 6: return NSPredicate(format: "ALL (reports \(sign) %@) IN %@", few, few + people.prefix(10))
    case 7: return NSPredicate(format: "(reports \(sign) SUBQUERY(reports, $r, $r.age > age)) CONTAINS %@", few.first)
    case 8: return NSPredicate(format: "count(tags \(sign) %@) \(one) %@", some, count)
    case 9: return NSPredicate(format: "tags[SIZE] \(one) %@ OR \(found)[SIZE] \(one) %@", count, count)
    case 10: return NSPredicate(format: "tags.@count BETWEEN {%@, 2}", count)
    case 11: return NSPredicate(format: "tags.@count \(one) reports.@count OR %@ \(one) tags.@count", count)
    case 12: return NSPredicate(format: "\(found).@count \(one) %@", count)
    case 13:
      return NSPredicate(
        format: "SUBQUERY(%@, $x, $x == name OR $x == boss.name).@count \(one) %@",
        Array(Set([string(&random), "Bob", "anna"])), count)
    case 14:
      let different = some[0] === some[1] ? [some[0]] : [some[0], some[1]]
      return NSPredicate(format: "%@ IN SUBQUERY(%@, $x, $x.rank > age OR $x IN tags)", tag, different)
    case 15: return NSPredicate(format: "boss IN reports OR SELF IN boss.reports AND ANY reports IN boss.reports")
    case 16: return NSPredicate(format: "ANY tags == %@ OR ANY reports == %@", some, NSSet(array: few))
    case 17: return NSPredicate(format: "ANY tags.label \(one) boss.name OR ANY boss.reports.name IN {name, 'Bob'}")
    case 18:
      return NSPredicate(
        format: "SUBQUERY(SUBQUERY(reports, $r, $r.age > 0), $s, $s.name \(one) name).@count \(one) %@", count)
    case 19:
      return NSPredicate(format: "ANY SUBQUERY(boss.reports, $r, $r != SELF).tags.rank \(one) %@", number(&random))
    case 20:
      return NSPredicate(
        format: "NONE tags.people.age \(one) %@ OR ALL reports.tags.label != %@", number(&random), string(&random))
    default: return NSPredicate(format: "SUBQUERY(reports, $r, ANY $r.tags IN tags).@count \(one) %@", count)
    }
  }

  private func arithmetic(_ random: inout SeededGenerator) -> String {
    let operands = ["age", "boss.age", "weight", "2", "3", "price", "1.5", "active", "big"]
    let signs = ["+", "-", "*", "/", "|", "&", "^", "<<", ">>"]
    let parts = (0..<3).map { _ in operands.randomElement(using: &random) ?? "age" }
    let first = signs.randomElement(using: &random) ?? "+"
    let second = ["+", "-", "*", "/"].randomElement(using: &random) ?? "+"
    return "((\(parts[0]) \(first) \(parts[1])) \(second) \(parts[2]))"
  }

  private func decimal(_ random: inout SeededGenerator) -> Decimal {
    let texts = ["0.1", "0.2", "0.3", "2.5", "3.1", "-7", "9.3", "6.2", "5"]
    return Decimal(string: texts.randomElement(using: &random) ?? "0") ?? 0
  }

  private func option(_ random: inout SeededGenerator) -> String { options.randomElement(using: &random) ?? "" }

  private func text(_ random: inout SeededGenerator) -> String { textOperators.randomElement(using: &random) ?? "LIKE" }
}
