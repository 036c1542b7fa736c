/// Makes random formats of predicates on the objects of `AtomicModel` that can be compiled for the most part: comparisons of
/// attributes and of arithmetic with constants of all kinds. Some of them are senseless, and fail.
struct CompilableFormats {
  var random: SeededGenerator

  private static let numbers = ["int16", "int32", "int64", "flag", "double", "float", "serial", "date", "passing"]
  private static let others = [
    "text", "text", "text", "decimal", "data", "uuid", "uri", "extra", "SELF.text", "SELF.int16",
  ]
  private static let beyond = [
    "parent.int16", "parent", "children.@count", "nothing", "tags", "address.street", "self",
  ]
  private static let numberConstants = [
    "0", "1", "2", "3", "-1", "4", "0.5", "1.5", "1e308", "2.0", "9223372036854775807", "9007199254740993",
    "9007199254740992.0", "18446744073709551615", "YES", "NO", "nil", "CAST(1, 'NSDecimalNumber')", "CAST(0, 'NSDate')",
    "'1'", "'1.5'", "'x'",
  ]
  private static let textConstants = [
    "'a'", "'A'", "'b'", "'B'", "'ä'", "'Ä'", "'3'", "''", "'e\u{301}'", "'é'", "'\u{FFFD}'", "'a*'", "'[aB]'", "'['",
    "nil", "3", "'漢😀'",
  ]
  private static let orders = ["==", "!=", "<", "<=", ">", ">="]
  private static let textOperators = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"]
  private static let options = ["", "", "", "[c]", "[d]", "[cd]", "[l]", "[n]", "[w]"]
  private static let binary = ["+", "-", "*", "/", "%%", "**", "&", "|", "^", "<<", ">>"]
  private static let unary = ["abs", "sqrt", "floor", "ceiling", "trunc", "ln", "exp", "-"]

  init(random: SeededGenerator) { self.random = random }

  private mutating func pick(_ values: [String]) -> String { values[Int.random(in: 0..<values.count, using: &random)] }
  private mutating func isChosen(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  mutating func predicate(_ depth: Int) -> String {
    guard depth > 0, !isChosen(4) else {
      return isChosen(20) ? pick(["TRUEPREDICATE", "FALSEPREDICATE"]) : comparison()
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: return "(\(predicate(depth - 1)) AND \(predicate(depth - 1)))"
    case 2: return "(\(predicate(depth - 1)) OR \(predicate(depth - 1)) OR \(predicate(depth - 1)))"
    case 3: return "NOT \(predicate(depth - 1))"
    default: return comparison()
    }
  }

  private mutating func comparison() -> String {
    let modifier = isChosen(25) ? pick(["ANY ", "ALL "]) : ""
    let left = side()
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return "\(modifier)\(left) IN\(pick(Self.options)) \(list(Int.random(in: 0...14, using: &random)))"
    case 2: return "\(left) BETWEEN\(pick(Self.options)) \(list(isChosen(12) ? 3 : 2))"
    case 3: return "\(left) \(pick(Self.textOperators))\(pick(Self.options)) \(constant())"
    case 4: return "\(constant()) \(pick(Self.orders))\(pick(Self.options)) \(left)"
    case 5: return "\(left) \(pick(Self.orders))\(pick(Self.options)) \(side())"
    default: return "\(modifier)\(left) \(pick(Self.orders))\(pick(Self.options)) \(constant())"
    }
  }

  private mutating func constant() -> String {
    if isChosen(15) { return "(\(pick(Self.numberConstants)) \(pick(["+", "*", "/"])) \(pick(Self.numberConstants)))" }
    return pick(Bool.random(using: &random) ? Self.numberConstants : Self.textConstants)
  }

  private mutating func list(_ count: Int) -> String {
    let kind = Int.random(in: 0..<3, using: &random)
    let values = (0..<count).map { _ in
      switch kind {
      case 0: pick(["0", "1", "2", "3", "4", "1.5", "0.5", "-1", "9007199254740993"])
      case 1: pick(Self.textConstants)
      default: constant()
      }
    }
    return "{\(values.joined(separator: ", "))}"
  }

  private mutating func side() -> String {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: return pick(Self.numbers)
    case 4...7: return pick(Self.others)
    case 8: return pick(Self.beyond)
    case 9: return "\(pick(Self.unary))(\(number()))"
    case 10: return "(\(number()) \(pick(Self.binary)) \(number()))"
    default: return "((\(number()) \(pick(["+", "-", "*", "/"])) \(number())) \(pick(["+", "-", "%%"])) \(number()))"
    }
  }

  private mutating func number() -> String {
    isChosen(2) ? pick(Self.numberConstants) : pick(isChosen(8) ? Self.others : Self.numbers)
  }
}
