/// A method that an `@objc` protocol declares as optional.
package struct OptionalRequirement: Sendable {
  /// The protocol's name.
  package var owner: String
  package var access: AccessLevel
  package var name: String
  /// The labels of the parameters; `_` for one without.
  package var labels: [String]
  /// The types of the parameters.
  var types: [String]
  /// `async` and `throws`.
  var effects: [String]
  var result: String
  /// The tokens of the declaration, from its first attribute or modifier on.
  var tokens: Range<Int>

  /// Returns the optional methods of a file's protocols.
  static func all(in tokens: [Token], path: String, _ source: [UInt8]) -> [OptionalRequirement] {
    guard tokens.contains(where: { $0.isKeyword("optional") }) else { return [] }
    return Parser.outline(tokens, path: path).filter { $0.keyword == "protocol" }.flatMap { body in
      body.members.compactMap { OptionalRequirement($0, of: body, tokens, source) }
    }
  }

  /// Nil for a member that is not optional, or that no value of function type can stand for.
  private init?(_ member: MemberOutline, of body: TypeBody, _ tokens: [Token], _ source: [UInt8]) {
    guard member.modifier("optional", tokens) != nil, member.keyword == "func",
      !member.name.isEmpty,
      let list = member.parameters, let owner = body.path.last, body.path.count == 1
    else { return nil }
    func text(_ range: Range<Int>) -> String {
      String(
        decoding: source[
          tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound],
        as: UTF8.self)
    }
    var labels: [String] = []
    var types: [String] = []
    for parameter in Self.split(list.lowerBound + 1..<list.upperBound - 1, tokens) {
      guard let colon = parameter.first(where: { tokens[$0].isPunctuation(":") }),
        colon > parameter.lowerBound,
        colon + 1 < parameter.upperBound
      else { return nil }
      labels.append(tokens[parameter.lowerBound].text)
      types.append(text(colon + 1..<parameter.upperBound))
    }
    (self.labels, self.types, self.owner, name) = (labels, types, owner, member.name)
    access = body.access ?? .internal
    self.tokens = member.tokens
    let rest = list.upperBound..<member.tokens.upperBound
    let arrow = rest.first { tokens[$0].isPunctuation("->") }
    effects = tokens[list.upperBound..<(arrow ?? rest.upperBound)].filter {
      $0.isKeyword("async") || $0.isKeyword("throws")
    }.map(\.text)
    result = arrow.map { text($0 + 1..<rest.upperBound) } ?? "Void"
  }

  /// Returns the tokens of each parameter.
  static func split(_ range: Range<Int>, _ tokens: [Token]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var depth = 0
    var start = range.lowerBound
    for index in range {
      if ["(", "[", "<"].contains(tokens[index].text) { depth += 1 }
      if [")", "]", ">"].contains(tokens[index].text) { depth -= 1 }
      guard depth == 0, tokens[index].isPunctuation(",") else { continue }
      parts.append(start..<index)
      start = index + 1
    }
    return start < range.upperBound ? parts + [start..<range.upperBound] : parts
  }

  /// The name of the property that has the method, or nil.
  var property: String {
    (["_optional", name] + labels.filter { $0 != "_" }).joined(separator: "_")
  }

  /// The type of that property.
  var type: String {
    "((\(types.joined(separator: ", ")))\(effects.map { " " + $0 }.joined()) -> \(result))?"
  }

  /// The value of that property in a class that has the method.
  var value: String {
    let words = effects.reversed().map { $0 == "throws" ? "try " : "await " }.sorted { $0 > $1 }
      .joined()
    let arguments = labels.enumerated().map { index, label in
      (label == "_" ? "" : label + ": ") + (types[index].hasPrefix("inout ") ? "&" : "")
        + "$\(index)"
    }
    return "{ \(words)self.\(SourceName.spelled(name))(\(arguments.joined(separator: ", "))) }"
  }
}
