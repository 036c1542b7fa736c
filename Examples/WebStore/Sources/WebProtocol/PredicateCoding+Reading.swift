import CoreData
import Foundation

// Predicates out of JSON that came from outside.
extension PredicateCoding {
  /// - Parameter find: returns the ID of an object by the name that the protocol has for it.
  /// - Throws: a `ProtocolError` that says what is expected, and where.
  public static func predicate(
    _ json: JSON, _ limits: ServiceLimits, find: (String) throws -> NSManagedObjectID
  ) throws -> NSPredicate {
    try measure(json, limits)
    return try withoutActuallyEscaping(find) { find in try Reading(find: find).predicate(json, at: "predicate") }
  }

  /// Both sides measure the same: what a client finds too large it does not send.
  /// - Parameters:
  ///   - depth: how deep the predicate is in another one.
  ///   - parts: how many parts there are besides.
  /// - Returns: how many parts there are with it.
  /// - Throws: a `ProtocolError` that names the limit which the predicate exceeds.
  @discardableResult
  static func measure(_ json: JSON, _ limits: ServiceLimits, depth: Int = 0, parts: Int = 0) throws -> Int {
    var parts = parts
    func measure(_ json: JSON, _ depth: Int) throws {
      switch json {
      case .object(let members):
        parts += 1
        if depth > limits.predicateDepth {
          throw ProtocolError("The predicate is deeper than \(limits.predicateDepth) parts.")
        }
        if parts > limits.predicateParts {
          throw ProtocolError("The predicate has more than \(limits.predicateParts) parts.")
        }
        for member in members.values { try measure(member, depth + 1) }
      case .array(let elements): for element in elements { try measure(element, depth) }
      default: break
      }
    }
    try measure(json, depth)
    return parts
  }

  private struct Reading {
    let find: (String) throws -> NSManagedObjectID

    func predicate(_ json: JSON, at place: String) throws -> NSPredicate {
      guard let members = json.members else { throw ProtocolError("\(place): an object is expected.") }
      if case .array(let parts)? = members["and"] {
        return NSCompoundPredicate(andPredicateWithSubpredicates: try predicates(parts, "\(place).and"))
      }
      if case .array(let parts)? = members["or"] {
        return NSCompoundPredicate(orPredicateWithSubpredicates: try predicates(parts, "\(place).or"))
      }
      if let part = members["not"] {
        return NSCompoundPredicate(
          notPredicateWithSubpredicate: try predicate(part, at: "\(place).not"))
      }
      if case .bool(let truth)? = members["always"] { return NSPredicate(value: truth) }
      return try comparison(members, place)
    }

    private func predicates(_ parts: [JSON], _ place: String) throws -> [NSPredicate] {
      var list: [NSPredicate] = []
      for (index, part) in parts.enumerated() {
        list.append(try predicate(part, at: "\(place)[\(index)]"))
      }
      return list
    }

    private func comparison(_ members: [String: JSON], _ place: String) throws -> NSPredicate {
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
        leftExpression: try expression(left, "\(place).left"),
        rightExpression: try expression(right, "\(place).right"), modifier: modifier, type: type,
        options: chosen)
    }

    private func expression(_ json: JSON, _ place: String) throws -> NSExpression {
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
          list.append(try expression(part, "\(place).list[\(index)]"))
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
