#if PostgreSQL
  import CoreData
  import Foundation
  import OpenCocoaFoundation

  import class OpenCocoaFoundation.NSComparisonPredicate
  import class OpenCocoaFoundation.NSCompoundPredicate
  import class OpenCocoaFoundation.NSExpression

  /// Random predicates on the words of `StringFixture`: every operator, under every set of options.
  struct RandomStringPredicates {
    var random: RandomWords
    /// Words of the store, from which constants are made.
    let words: [String]

    private typealias Operator = NSComparisonPredicate.Operator

    private static let orders: [Operator] = [
      .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
    ]
    private static let parts: [Operator] = [.contains, .beginsWith, .endsWith, .like]

    mutating func predicate(depth: Int = 2) -> NSPredicate {
      switch random.next(depth > 0 ? 8 : 5) {
      case 5: return NSCompoundPredicate(notPredicateWithSubpredicate: predicate(depth: depth - 1))
      case 6:
        return NSCompoundPredicate(andPredicateWithSubpredicates: [
          predicate(depth: depth - 1), predicate(depth: depth - 1),
        ])
      case 7:
        return NSCompoundPredicate(orPredicateWithSubpredicates: [
          predicate(depth: depth - 1), predicate(depth: depth - 1),
        ])
      default: return comparison()
      }
    }

    private mutating func comparison() -> NSPredicate {
      let options = NSComparisonPredicate.Options(rawValue: random.pick([0, 1, 2, 3, 4, 8, 9, 16, 17, 19]))
      switch random.next(12) {
      case 0: return members(options)
      case 1, 2: return list(options)
      case 3: return pattern(options)
      case 4: return made(constant(), value(plain: true), random.pick(Self.parts + Self.orders), options)
      case 5:
        let isOfLocale = options.contains(.init(rawValue: 8)), type = random.pick(Self.orders + Self.parts)
        // A store refuses to compare two values of a row in the order of a locale.
        return made(value(), value(plain: type == .like), type, isOfLocale && Self.orders.contains(type) ? [] : options)
      default: return made(value(), constant(), random.pick(Self.parts + Self.orders), options)
      }
    }

    private func made(
      _ left: NSExpression, _ right: NSExpression, _ type: NSComparisonPredicate.Operator,
      _ options: NSComparisonPredicate.Options, _ modifier: NSComparisonPredicate.Modifier = .direct
    ) -> NSPredicate {
      NSComparisonPredicate(
        leftExpression: left, rightExpression: right, modifier: modifier, type: type, options: options)
    }

    private mutating func value(plain: Bool = false) -> NSExpression {
      let plainValues = ["text", "other", "before.text", "before.before.other"]
      let made = [
        "uppercase(text)", "lowercase(other)", "canonical(text)", "lowercase(uppercase(text))", "noindex(text)",
        "CAST(number, 'NSString')", "TERNARY(flag == YES, text, other)", "TERNARY(flag == YES, before.text, 'É')",
        "after.@max.text", "lowercase(before.text)",
      ]
      return NSExpression(format: random.pick(plain ? plainValues : plainValues + plainValues + plainValues + made))
    }

    private mutating func constant() -> NSExpression { NSExpression(forConstantValue: random.part(of: words)) }

    private mutating func list(_ options: NSComparisonPredicate.Options) -> NSPredicate {
      let count = random.next(2) == 0 ? random.next(4) : 12
      let values = (0..<count).map { _ in random.part(of: words) }
      if count == 2, values[0].utf8.count < 3 {
        return made(value(), NSExpression(forConstantValue: values), .between, options)
      }
      return made(value(), NSExpression(forConstantValue: values), .in, options)
    }

    private mutating func pattern(_ options: NSComparisonPredicate.Options) -> NSPredicate {
      let pattern = random.pick([
        "[a-c]*", ".*é.*", "(a|b)+.?", "\\w+", "\\p{Lu}.*", "[^a]+", ".", "..", "(?i)ß.*", "a{1,2}.*", "\\W*", "a++b?",
        ".*[αΑ].*", "[ab ]*|.*ss.*",
      ])
      let isRandom = random.next(2) == 0
      let constant = NSExpression(forConstantValue: isRandom ? alternatives(depth: 2) : pattern)
      return made(value(), constant, .matches, isRandom ? [] : options)
    }

    /// Makes a regular expression that the store passes to the server, or one that is similar.
    private mutating func alternatives(depth: Int) -> String {
      (0...random.next(2)).map { _ in (0...random.next(3)).map { _ in atom(depth: depth) }.joined() }
        .joined(separator: "|")
    }

    private mutating func atom(depth: Int) -> String {
      let atom = random.pick([
        "a", "b", "A", ".", "[ab]", "[^a]", "[a-cX-Z0]", "é", "ß", "\\.", "\\*", " ", "_", "-", "α", "\\\\", "😀", "\n",
        "\\-", "\u{301}",
      ])
      let group =
        depth > 0 && random.next(4) == 0 ? "(\(random.pick(["", "?:"]))\(alternatives(depth: depth - 1)))" : atom
      return group + random.pick(["", "", "*", "+", "?", "*?", "{1,2}", "{2}", "{1,}"])
    }

    /// Makes a predicate on the objects of a to-many relationship.
    private mutating func members(_ options: NSComparisonPredicate.Options) -> NSPredicate {
      let type = random.pick(Self.orders + Self.parts), right = constant()
      switch random.next(4) {
      case 0, 1:
        let modifier = random.pick([NSComparisonPredicate.Modifier.any, .all])
        return made(
          NSExpression(format: random.pick(["after.text", "after.after.other"])), right, type, options, modifier)
      case 2:
        let left = random.pick(["$w.text", "$w.before.other", "lowercase($w.text)"])
        let count = random.pick(["> 0", "== 1"])
        let sign = random.pick(["==", "!=", "<", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"])
        let letters = random.pick(["", "[c]", "[d]", "[cd]", "[l]", "[n]"])
        return NSPredicate(
          format: "SUBQUERY(after, $w, \(left) \(sign)\(letters) %@).@count \(count)", random.part(of: words))
      default: return made(value(), right, type, options)
      }
    }
  }
#endif
