/// A function of the rewritten files as its callers know it.
struct CalledFunction {
  struct Parameter {
    /// `_` for none.
    let label: String
    /// The name in the body.
    let name: String
    /// The first token of the type.
    let type: Int
    /// Whether the type is written as that of a function.
    let isBlock: Bool
    /// Whether a block could be `sending`, and is not yet `sending` or `Sendable`.
    let mayBeSending: Bool
    /// Whether it takes any number of values.
    let isVariadic: Bool
    let hasDefault: Bool
  }

  let parameters: [Parameter]
  let isAsync: Bool

  /// Nil for what is no function with a name and parameters.
  init?(_ member: MemberOutline, _ tokens: [Token]) {
    guard member.keyword == "func", !member.name.isEmpty, let list = member.parameters, list.count > 1 else {
      return nil
    }
    isAsync = tokens[list.upperBound..<(member.body?.lowerBound ?? member.tokens.upperBound)].contains {
      $0.isKeyword("async")
    }
    parameters = OptionalRequirement.split(list.lowerBound + 1..<list.upperBound - 1, tokens).compactMap {
      Self.parameter($0, tokens)
    }
  }

  private static func parameter(_ part: Range<Int>, _ tokens: [Token]) -> Parameter? {
    guard let colon = part.first(where: { tokens[$0].isPunctuation(":") }), colon > part.lowerBound,
      colon + 1 < part.upperBound
    else { return nil }
    var label = colon - 1
    // `label name:`, but not `@Builder name:`.
    if colon - 2 >= part.lowerBound, tokens[colon - 2].isName,
      colon - 3 < part.lowerBound || !["@", "."].contains(tokens[colon - 3].text)
    {
      label = colon - 2
    }
    let words: Set = ["Sendable", "sending", "inout", "autoclosure"]
    let isBlock = tokens[part].contains { $0.isPunctuation("->") }
    let isVariadic = tokens[part.upperBound - 1].isPunctuation(".")
    return Parameter(
      label: tokens[label].text, name: tokens[colon - 1].text, type: colon + 1, isBlock: isBlock,
      mayBeSending: isBlock && !tokens[part].contains { words.contains($0.text) }, isVariadic: isVariadic,
      hasDefault: isVariadic || tokens[part].contains { $0.isPunctuation("=") })
  }
}
