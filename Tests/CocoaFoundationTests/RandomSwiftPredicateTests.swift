import CocoaFoundation
import Foundation
import Testing

private typealias Expressions = PredicateExpressions
private typealias Truth = any StandardPredicateExpression<Bool>
private typealias Whole = any StandardPredicateExpression<Int>
private typealias Text = any StandardPredicateExpression<String>

/// Makes predicates of Swift of every shape.
private struct SwiftPredicateGenerator {
  var random: SeededGenerator
  let item: Expressions.Variable<Item>

  mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

  mutating func truth(_ depth: Int) -> Truth {
    switch Int.random(in: depth <= 0 ? 6..<9 : 0..<12, using: &random) {
    case 0: return and(truth(depth - 1), truth(depth - 1))
    case 1: return or(truth(depth - 1), truth(depth - 1))
    case 2: return not(truth(depth - 1))
    case 3: return choice(truth(depth - 1), truth(depth - 1), truth(depth - 1))
    case 4: return same(truth(depth - 1), truth(depth - 1))
    case 5: return elements()
    case 6: return Expressions.build_KeyPath(root: item, keyPath: \Item.isActive)
    case 7:
      let checked = Expressions.build_KeyPath(root: item, keyPath: \Item.isChecked)
      return Expressions.build_NilCoalesce(lhs: checked, rhs: Expressions.build_Arg(pick([true, false])))
    case 8: return contains(text(), text())
    case 9: return isInRange(whole(depth - 1))
    case 10: return equal(whole(depth - 1), whole(depth - 1))
    default:
      let op = pick([Expressions.ComparisonOperator.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual])
      return compare(whole(depth - 1), whole(depth - 1), op)
    }
  }

  private mutating func whole(_ depth: Int) -> Whole {
    switch Int.random(in: depth <= 0 ? 0..<4 : 0..<8, using: &random) {
    case 0: return Expressions.build_KeyPath(root: item, keyPath: \Item.age)
    case 1: return Expressions.build_Arg(pick([-7, -1, 0, 1, 2, 3, 5, 12]))
    case 2: return count(text())
    case 3:
      let numbers = Expressions.build_KeyPath(root: item, keyPath: \Item.numbers)
      return Expressions.build_NilCoalesce(lhs: Expressions.build_max(numbers), rhs: Expressions.build_Arg(-1))
    case 4: return choice(truth(depth - 1), whole(depth - 1), whole(depth - 1))
    case 5: return remainder(whole(depth - 1), pick([2, 3, -5]))
    default: return arithmetic(whole(depth - 1), whole(depth - 1), pick([.add, .subtract, .multiply]))
    }
  }

  private mutating func text() -> Text {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return Expressions.build_KeyPath(root: item, keyPath: \Item.name)
    case 1: return Expressions.build_Arg(pick(["", "n", "bob", "Ä"]))
    default:
      let nick = Expressions.build_KeyPath(root: item, keyPath: \Item.nick)
      return Expressions.build_NilCoalesce(lhs: nick, rhs: Expressions.build_Arg(pick(["x", "abc"])))
    }
  }

  /// A condition on the elements of a collection.
  private mutating func elements() -> Truth {
    let children = Expressions.build_KeyPath(root: item, keyPath: \Item.children)
    let age = Expressions.build_KeyPath(root: item, keyPath: \Item.age)
    let number = Expressions.build_Arg(pick([1, 2, 9]))
    let isYounger = { (child: Expressions.Variable<Item>) in
      Expressions.build_Conjunction(
        lhs: Expressions.build_Comparison(
          lhs: Expressions.build_KeyPath(root: child, keyPath: \Item.age), rhs: age, op: .lessThan),
        rhs: Expressions.build_contains(Expressions.build_KeyPath(root: child, keyPath: \Item.numbers), number))
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return Expressions.build_contains(Expressions.build_KeyPath(root: item, keyPath: \Item.numbers), number)
    case 1: return Expressions.build_contains(children, where: isYounger)
    case 2: return Expressions.build_allSatisfy(children, isYounger)
    default:
      let count = Expressions.build_KeyPath(
        root: Expressions.build_filter(children, isYounger), keyPath: \[Item].count)
      return Expressions.build_Equal(lhs: count, rhs: number)
    }
  }
}

// The parts are of types that only running code knows; each function opens them.

private func and(_ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>)
  -> Truth
{
  Expressions.build_Conjunction(lhs: left, rhs: right)
}

private func or(_ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>)
  -> Truth
{
  Expressions.build_Disjunction(lhs: left, rhs: right)
}

private func not(_ wrapped: some StandardPredicateExpression<Bool>) -> Truth { Expressions.build_Negation(wrapped) }

private func same(_ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>)
  -> Truth
{
  Expressions.build_Equal(lhs: left, rhs: right)
}

private func choice(
  _ test: some StandardPredicateExpression<Bool>, _ first: some StandardPredicateExpression<Bool>,
  _ second: some StandardPredicateExpression<Bool>
) -> Truth {
  Expressions.build_Conditional(test, first, second)
}

private func choice(
  _ test: some StandardPredicateExpression<Bool>, _ first: some StandardPredicateExpression<Int>,
  _ second: some StandardPredicateExpression<Int>
) -> Whole {
  Expressions.build_Conditional(test, first, second)
}

private func contains(
  _ text: some StandardPredicateExpression<String>, _ part: some StandardPredicateExpression<String>
) -> Truth {
  Expressions.build_contains(text, part)
}

private func count(_ text: some StandardPredicateExpression<String>) -> Whole {
  Expressions.build_KeyPath(root: text, keyPath: \String.count)
}

private func isInRange(_ number: some StandardPredicateExpression<Int>) -> Truth {
  Expressions.build_contains(Expressions.build_Arg(0..<4), number)
}

private func compare(
  _ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>,
  _ op: Expressions.ComparisonOperator
) -> Truth {
  Expressions.build_Comparison(lhs: left, rhs: right, op: op)
}

private func equal(
  _ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>
) -> Truth {
  Expressions.build_Equal(lhs: left, rhs: right)
}

private func arithmetic(
  _ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>,
  _ op: Expressions.ArithmeticOperator
) -> Whole {
  Expressions.build_Arithmetic(lhs: left, rhs: right, op: op)
}

private func remainder(_ left: some StandardPredicateExpression<Int>, _ right: Int) -> Whole {
  Expressions.build_Remainder(lhs: left, rhs: Expressions.build_Arg(right))
}

@Suite("Random predicates of Swift")
struct RandomSwiftPredicateTests {
  @Test("They convert, parse back, and hold for the same objects as before")
  func differential() throws {
    var random = SeededGenerator(for: "Predicates of Swift")
    for _ in 0..<2000 * Soak.factor {
      let predicate = Predicate<Item> { item in
        var generator = SwiftPredicateGenerator(random: random, item: item)
        defer { random = generator.random }
        return generator.truth(3)
      }
      let converted = try #require(NSPredicate(predicate))
      let parsed = try NSPredicate(parsing: converted.description)
      for item in Item.some {
        let holds = try predicate.evaluate(item)
        try #require(converted.evaluate(with: item) == holds, "\(item.name): \(converted)")
        try #require(parsed.evaluate(with: item) == holds, "\(item.name): \(converted)")
      }
    }
  }
}
