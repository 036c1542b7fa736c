/// The arguments of a call: their labels, `_` for none, and their tokens.
struct CallArguments {
  typealias Argument = (label: String, tokens: Range<Int>)

  var listed: [Argument] = []
  /// Trailing closures; the first has no label.
  var trailing: [Argument] = []

  /// Returns for each argument the parameter that it is given to; nil if the function cannot be called so.
  func places(in function: CalledFunction) -> [(tokens: Range<Int>, parameter: Int)]? {
    let parameters = function.parameters
    var next = 0
    var result: [(tokens: Range<Int>, parameter: Int)] = []
    /// Passes over parameters with defaults, up to one of that label.
    func pass(_ label: String) -> Int? {
      while next < parameters.count {
        defer { next += 1 }
        if parameters[next].label == label { return next }
        if !parameters[next].hasDefault { return nil }
      }
      return nil
    }
    for argument in listed {
      if argument.label == "_", let last = result.last?.parameter, parameters[last].isVariadic {
        result.append((argument.tokens, last))
        continue
      }
      guard let place = pass(argument.label) else { return nil }
      result.append((argument.tokens, place))
    }
    if let first = trailing.first {
      guard let place = unlabelled(parameters, from: next) else { return nil }
      result.append((first.tokens, place))
      next = place + 1
    }
    for closure in trailing.dropFirst() {
      guard let place = pass(closure.label) else { return nil }
      result.append((closure.tokens, place))
    }
    return parameters[next...].allSatisfy(\.hasDefault) ? result : nil
  }

  /// The parameter of the first trailing closure: one that needs a value, and else a block, before the one of the second.
  private func unlabelled(_ parameters: [CalledFunction.Parameter], from start: Int) -> Int? {
    let second = trailing.dropFirst().first?.label
    let rest = parameters.indices[start...]
    let open = rest[..<(rest.dropFirst().first { parameters[$0].label == second } ?? parameters.count)]
    return open.first { !parameters[$0].hasDefault } ?? open.first { parameters[$0].isBlock } ?? open.last
  }
}

extension Rewriter {
  /// Returns the arguments of the call of a name; nil if the name is not called.
  func callArguments(_ position: Int, _ tokens: [Token]) -> CallArguments? {
    var parser = Parser(tokens, path: "")
    parser.position = position + 1
    guard parser.isPunctuation("(") || parser.isPunctuation("{") else { return nil }
    var call = CallArguments()
    if parser.isPunctuation("(") {
      let start = parser.position
      parser.skipBalanced()
      guard parser.position > start + 1 else { return nil }
      call.listed = arguments(start + 1..<parser.position - 1, tokens).map {
        (isLabelled($0, tokens) ? tokens[$0.lowerBound].text : "_", $0)
      }
    }
    var label = "_"
    while parser.isPunctuation("{") {
      let start = parser.position
      parser.skipBalanced()
      call.trailing.append((label, start..<parser.position))
      guard parser.current?.isName == true, parser.token(1)?.isPunctuation(":") == true,
        parser.token(2)?.isPunctuation("{") == true
      else { break }
      label = parser.current?.text ?? "_"
      parser.position += 2
    }
    return call
  }
}
