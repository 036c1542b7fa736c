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
    let hasDefault: Bool
  }

  let parameters: [Parameter]
  let isAsync: Bool

  /// Nil for what is no function with a name and parameters.
  init?(_ member: MemberOutline, _ tokens: [Token]) {
    guard member.keyword == "func", !member.name.isEmpty, let list = member.parameters else {
      return nil
    }
    isAsync = tokens[list.upperBound..<(member.body?.lowerBound ?? member.tokens.upperBound)]
      .contains {
        $0.isKeyword("async")
      }
    parameters = OptionalRequirement.split(list.lowerBound + 1..<list.upperBound - 1, tokens)
      .compactMap { part in
        guard let colon = part.first(where: { tokens[$0].isPunctuation(":") }),
          colon > part.lowerBound,
          colon + 1 < part.upperBound
        else { return nil }
        let isBlock = tokens[part].contains { $0.isPunctuation("->") }
        let words: Set = ["Sendable", "sending", "inout", "autoclosure"]
        return Parameter(
          label: tokens[part.lowerBound].text, name: tokens[colon - 1].text, type: colon + 1,
          isBlock: isBlock,
          mayBeSending: isBlock && !tokens[part].contains { words.contains($0.text) },
          hasDefault: tokens[part].contains { $0.isPunctuation("=") || $0.isPunctuation("...") })
      }
  }
}

/// The arguments of a call: their labels, `_` for none, and their tokens.
struct CallArguments {
  let listed: [(label: String, tokens: Range<Int>)]
  /// Trailing closures; the first has no label.
  let trailing: [(label: String, tokens: Range<Int>)]

  /// Returns for each argument the parameter that it is given to; nil if the function cannot be called so.
  func places(in function: CalledFunction) -> [(tokens: Range<Int>, parameter: Int)]? {
    let parameters = function.parameters
    var next = 0
    var result: [(tokens: Range<Int>, parameter: Int)] = []
    /// Passes over parameters with defaults, up to one that fits.
    func pass(_ fits: (CalledFunction.Parameter) -> Bool) -> Int? {
      while next < parameters.count {
        defer { next += 1 }
        if fits(parameters[next]) { return next }
        if !parameters[next].hasDefault { return nil }
      }
      return nil
    }
    for argument in listed {
      guard let place = pass({ $0.label == argument.label }) else { return nil }
      result.append((argument.tokens, place))
    }
    for (number, closure) in trailing.enumerated() {
      let isLast = next == parameters.count - 1
      // The type of the last one may have a name.
      guard let place = pass({ number == 0 ? $0.isBlock || isLast : $0.label == closure.label })
      else { return nil }
      result.append((closure.tokens, place))
    }
    return parameters[next...].allSatisfy(\.hasDefault) ? result : nil
  }
}
