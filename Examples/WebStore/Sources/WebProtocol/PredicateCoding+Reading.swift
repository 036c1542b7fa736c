import CoreData
import Foundation

// Predicates out of JSON that came from outside.
extension PredicateCoding {
  /// How deep a predicate may be, and how many parts it may have: what a list of a page's IDs takes, and no more.
  private static let (depth, size) = (64, 20_000)

  /// - Parameter find: returns the ID of an object by the name that the protocol has for it.
  /// - Throws: a `ProtocolError` that says what is expected, and where.
  public static func predicate(_ json: JSON, find: (String) throws -> NSManagedObjectID) throws -> NSPredicate {
    try withoutActuallyEscaping(find) { find in
      var reading = Reading(find: find)
      return try reading.predicate(json, at: "predicate", depth: 0)
    }
  }

  private struct Reading {
    let find: (String) throws -> NSManagedObjectID
    var count = 0

    mutating func enter(_ place: String, _ depth: Int) throws {
      count += 1
      if depth > PredicateCoding.depth {
        throw ProtocolError("\(place.prefix(80)): deeper than \(PredicateCoding.depth).")
      }
      if count > size { throw ProtocolError("The predicate has more than \(size) parts.") }
    }

    mutating func predicate(_ json: JSON, at place: String, depth: Int) throws -> NSPredicate {
      try enter(place, depth)
      guard let members = json.members else { throw ProtocolError("\(place): an object is expected.") }
      if case .array(let parts)? = members["and"] {
        return NSCompoundPredicate(andPredicateWithSubpredicates: try predicates(parts, "\(place).and", depth))
      }
      if case .array(let parts)? = members["or"] {
        return NSCompoundPredicate(orPredicateWithSubpredicates: try predicates(parts, "\(place).or", depth))
      }
      if let part = members["not"] {
        return NSCompoundPredicate(
          notPredicateWithSubpredicate: try predicate(part, at: "\(place).not", depth: depth + 1))
      }
      if case .bool(let truth)? = members["always"] { return NSPredicate(value: truth) }
      return try comparison(members, place, depth)
    }

    private mutating func predicates(_ parts: [JSON], _ place: String, _ depth: Int) throws -> [NSPredicate] {
      var list: [NSPredicate] = []
      for (index, part) in parts.enumerated() {
        list.append(try predicate(part, at: "\(place)[\(index)]", depth: depth + 1))
      }
      return list
    }

    private mutating func comparison(_ members: [String: JSON], _ place: String, _ depth: Int) throws -> NSPredicate {
      guard let name = members["op"]?.text, let type = operators.first(where: { $0.1 == name })?.0 else {
        let names = operators.map(\.1).joined(separator: ", ")
        throw ProtocolError("\(place): and, or, not, always, or an op is expected, which is one of \(names).")
      }
      guard let left = members["left"], let right = members["right"] else {
        throw ProtocolError("\(place): left and right are expected.")
      }
      var chosen: NSComparisonPredicate.Options = []
      for letter in members["options"]?.text ?? "" {
        guard let option = PredicateCoding.options.first(where: { $0.1 == letter })?.0 else {
          throw ProtocolError("\(place).options: the letters c, d and n are expected.")
        }
        chosen.insert(option)
      }
      var modifier = NSComparisonPredicate.Modifier.direct
      if let word = members["modifier"] {
        guard let known = modifiers.first(where: { $0.1 == word.text })?.0 else {
          throw ProtocolError("\(place).modifier: ANY or ALL is expected.")
        }
        modifier = known
      }
      return NSComparisonPredicate(
        leftExpression: try expression(left, "\(place).left", depth + 1),
        rightExpression: try expression(right, "\(place).right", depth + 1), modifier: modifier, type: type,
        options: chosen)
    }

    private mutating func expression(_ json: JSON, _ place: String, _ depth: Int) throws -> NSExpression {
      try enter(place, depth)
      guard let members = json.members, members.count == 1, let (kind, value) = members.first else {
        throw ProtocolError("\(place): an object with one member is expected, as {\"key\": \"name\"}.")
      }
      switch (kind, value) {
      case ("self", .bool(true)): return NSExpression.expressionForEvaluatedObject()
      case ("key", .string(let path)):
        // A key path alone: a format could have functions, too.
        guard !path.isEmpty, path.allSatisfy({ $0.isLetter || $0.isNumber || "._@".contains($0) }) else {
          throw ProtocolError("\(place).key: a key path is expected.")
        }
        return NSExpression(forKeyPath: path)
      case ("list", .array(let parts)):
        var list: [NSExpression] = []
        for (index, part) in parts.enumerated() {
          list.append(try expression(part, "\(place).list[\(index)]", depth + 1))
        }
        return NSExpression(forAggregate: list)
      default: return NSExpression(forConstantValue: try constant(kind, value, place))
      }
    }

    private func constant(_ kind: String, _ value: JSON, _ place: String) throws -> Any? {
      switch (kind, value) {
      case ("null", .bool(true)): return nil
      case ("string", .string(let text)): return text
      case ("int", .int(let number)): return NSNumber(value: number)
      case ("double", _): if let number = AttributeCoding.number(value) { return NSNumber(value: number) }
      case ("date", _):
        if let number = AttributeCoding.number(value) { return Date(timeIntervalSinceReferenceDate: number) }
      case ("decimal", .string(let text)): if Decimal(string: text) != nil { return NSDecimalNumber(string: text) }
      case ("uuid", .string(let text)): if let uuid = UUID(uuidString: text) { return uuid }
      case ("uri", .string(let text)): if let url = URL(string: text) { return url }
      case ("data", .string(let text)): if let data = Data(base64Encoded: text) { return data }
      case ("object", .string(let name)): return try find(name)
      default: break
      }
      throw ProtocolError(
        "\(place): \(kind) is no kind of expression, or its value is of the wrong type. Kinds are self, key, list, null, string, "
          + "int, double, date, decimal, uuid, uri, data and object.")
    }
  }
}
