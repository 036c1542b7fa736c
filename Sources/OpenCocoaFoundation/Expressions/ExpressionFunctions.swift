/// The functions that an expression may name.
package enum ExpressionFunctions {
  /// Their selectors; the colons count the arguments.
  package static let selectors: Set<String> = [
    "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:",
    "sqrt:", "log:", "ln:", "raise:toPower:", "exp:", "floor:", "ceiling:", "abs:", "trunc:",
    "random", "randomn:", "now", "uppercase:", "lowercase:", "canonical:", "length:",
    "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:", "onesComplement:",
    "castObject:toType:", "objectFrom:withIndex:", "noindex:", "distanceToLocation:fromLocation:",
  ]

  private static let selectorsByName: [String: [String]] =
    Dictionary(grouping: selectors) { String($0.prefix { $0 != ":" }).lowercased() }

  /// The selector of a function that a format calls as `sum(x)`, `sum:(x)` or `add:to:(x, y)`.
  package static func selector(named name: String, argumentCount: Int) -> String? {
    let candidates: [String]
    if name.contains(":") {
      candidates = selectors.contains(name) ? [name] : []
    } else {
      candidates = selectorsByName[name.lowercased()] ?? []
    }
    return candidates.first { takes(argumentCount, $0) }
  }

  /// Whether there is a function that takes so many arguments.
  static func takes(_ count: Int, _ selector: String) -> Bool {
    guard selectors.contains(selector) else { return false }
    // Aggregates take any number of values: sum(1, 2) or sum({1, 2}).
    return aggregates.contains(selector) ? count > 0 : selector.count { $0 == ":" } == count
  }

  package static let aggregates: Set<String> = [
    "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
  ]
}
