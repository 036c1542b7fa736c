@_spi(Store) @testable import OpenCoreData

/// Makes random formats of predicates on the objects of `AtomicModel`: correct by the grammar, and senseless for the most
/// part.
struct RandomFormats {
  var random: SeededGenerator

  private static let constants = [
    "1", "-1", "0", "2.5", "1e308", "-1e-320", "9223372036854775807", "--9223372036854775808", "18446744073709551615",
    "'x'", "''", "'a b'", "'(a'", "'['", "'a*'", "'\\\\A.*\\\\z'", "'1'", "'é'", "nil", "YES", "NO", "{1, 2}", "{}",
    "{'a', 1, nil}", "{{1}, {2}}", "CAST(0, 'NSDate')", "CAST(1e300, 'NSDate')", "now()", "random()", "@'z'",
    "'Item'", "'http://x.org'", "'173EF017-8551-4A76-AD07-19D8830FDC81'",
  ]

  private static let keys = [
    "int16", "int32", "int64", "flag", "double", "float", "decimal", "text", "date", "data", "uuid", "uri", "serial",
    "tags", "address", "address.street", "address.place", "address.place.latitude", "address.nothing", "parent",
    "parent.text", "parent.parent.int16", "children", "children.text", "children.children", "children.nothing", "next",
    "next.previous", "likes", "likes.likedBy.int16", "steps", "steps.text", "steps.item.text", "nothing",
    "parent.nothing", "text.length", "text.nothing", "int16.nothing", "date.nothing", "data.length", "uuid.nothing",
    "children.@count", "children.@sum.int16", "children.@avg.text", "children.@min.tags", "children.@max.date",
    "steps.@distinctUnionOfObjects.text", "likes.@unionOfArrays.steps", "text.@count", "text.@sum.length", "@count",
    "int16.@max.self", "SELF", "SELF.text", "SELF.nothing", "self", "entity", "entity.name", "entity.nothing",
    "objectID", "objectID.nothing", "description", "hash", "$x", "$x.text", "$nothing", "$nothing.text", "ANYKEY",
    "managedObjectContext", "hasChanges", "extra", "#self", "primitiveText", "faultingState",
  ]

  private static let unary = [
    "sum", "count", "min", "max", "average", "median", "mode", "stddev", "sqrt", "log", "ln", "exp", "floor",
    "ceiling", "abs", "trunc", "uppercase", "lowercase", "canonical", "length", "randomn", "noindex", "onesComplement:",
    "-", "~",
  ]

  private static let binary = [
    "+", "-", "*", "/", "%%", "**", "&", "|", "^", "<<", ">>", "UNION", "INTERSECT", "MINUS",
  ]

  private static let types = [
    "NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSURL", "NSUUID", "NSArray", "NSSet", "Person", "", "Double",
  ]

  private static let operators = [
    "==", "!=", "<", "<=", ">", ">=", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "BETWEEN",
  ]

  private mutating func pick(_ values: [String]) -> String { values[Int.random(in: 0..<values.count, using: &random)] }

  mutating func predicate(_ depth: Int) -> String {
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where depth > 0: return "(\(predicate(depth - 1)) AND \(predicate(depth - 1)))"
    case 1 where depth > 0: return "(\(predicate(depth - 1)) OR \(predicate(depth - 1)))"
    case 2 where depth > 0: return "NOT \(predicate(depth - 1))"
    case 3 where depth > 0: return pick(["TRUEPREDICATE", "FALSEPREDICATE"])
    default:
      let modifier = pick(["", "", "", "", "ANY ", "ALL ", "NONE ", "SOME "])
      let option = pick(["", "", "", "[c]", "[cd]", "[l]", "[n]", "[w]", "[cdl]"])
      return "\(modifier)\(expression(depth)) \(pick(Self.operators))\(option) \(expression(depth))"
    }
  }

  mutating func expression(_ depth: Int) -> String {
    guard depth > 0 else {
      return Bool.random(using: &random) ? pick(Self.constants) : pick(Self.keys)
    }
    switch Int.random(in: 0..<22, using: &random) {
    case 0, 1, 2, 3: return pick(Self.constants)
    case 4, 5, 6, 7, 8, 9: return pick(Self.keys)
    case 10, 11: return "\(pick(Self.unary))(\(expression(depth - 1)))"
    case 12, 13: return "(\(expression(depth - 1)) \(pick(Self.binary)) \(expression(depth - 1)))"
    case 14: return "CAST(\(expression(depth - 1)), '\(pick(Self.types))')"
    case 15:
      return "(\(expression(depth - 1)))[\(pick(["0", "-1", "99", "FIRST", "LAST", "SIZE", expression(depth - 1)]))]"
    case 16: return "TERNARY(\(predicate(depth - 1)), \(expression(depth - 1)), \(expression(depth - 1)))"
    case 17:
      return "SUBQUERY(\(expression(depth - 1)), $x, \(predicate(depth - 1)))\(pick(["", ".@count", ".text", "[0]"]))"
    case 18:
      let selector = pick(["uppercase:", "valueForKey:", "valueForKeyPath:", "text", "objectForKey:", "nothing:at:"])
      return "FUNCTION(\(expression(depth - 1)), '\(selector)', \(expression(depth - 1)))"
    case 19: return "{\(expression(depth - 1)), \(expression(depth - 1))}"
    case 20: return "(\(expression(depth - 1))).\(pick(["text", "nothing", "name", "@count", "@sum.int16", "length"]))"
    default: return "FETCH(\(expression(depth - 1)), \(expression(depth - 1)), \(pick(["YES", "NO"])))"
    }
  }

  /// A format with a few of its characters gone, doubled, exchanged or foreign.
  mutating func mutated(_ text: String) -> String {
    var format = Array(text.unicodeScalars)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...format.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where place < format.count: format.remove(at: place)
      case 1 where place < format.count: format.insert(format[place], at: place)
      case 2 where place < format.count: format.swapAt(place, Int.random(in: 0..<format.count, using: &random))
      default:
        let pieces = ["(", ")", "{", "}", "[", "]", ".", ",", "@", "$", "-", "~", "1", "e", "'", " AND ", " NOT ", "x"]
        format.insert(contentsOf: pick(pieces).unicodeScalars, at: place)
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: format)
    return String(view)
  }
}
