/// An expression of the form `x ? y : z`, whose branches may be such expressions; or any other, which is its only branch.
struct ConditionalChain {
  /// The tokens of each value that the expression may have, without parentheses around it.
  private(set) var branches: [Range<Int>] = []

  /// - Parameter start: the first token of the expression.
  init(at start: Int, _ tokens: [Token]) { split(start..<Self.end(of: start, tokens), tokens) }

  /// Finds the expression of which a literal is a branch; nil if it is none.
  init?(around open: Int, _ last: Int, _ tokens: [Token]) {
    let isBehind = open > 0 && (Self.isMark(open - 1, tokens) || Self.isColon(open - 1, tokens))
    guard isBehind || last + 1 < tokens.count && Self.isColon(last + 1, tokens) else { return nil }
    var start = open
    var depth = 0
    while start > 0 {
      let token = tokens[start - 1]
      if [")", "]", "}"].contains(token.text) { depth += 1 }
      if ["(", "[", "{"].contains(token.text) { depth -= 1 }
      if depth < 0 || depth == 0 && Self.begins(start - 1, tokens) { break }
      start -= 1
    }
    self.init(at: start, tokens)
    guard branches.contains(where: { $0.contains(open) }) else { return nil }
  }

  /// Whether a token is the question mark of a condition, which has space before it.
  static func isMark(_ index: Int, _ tokens: [Token]) -> Bool {
    guard index > 0, index + 1 < tokens.count, tokens[index].isPunctuation("?"), hasSpace(index, tokens) else {
      return false
    }
    return !tokens[index + 1].isPunctuation("?") || hasSpace(index + 1, tokens)
  }

  private static func isColon(_ index: Int, _ tokens: [Token]) -> Bool {
    index > 0 && tokens[index].isPunctuation(":") && hasSpace(index, tokens)
  }

  /// Whether there is something between a token and the one before it.
  private static func hasSpace(_ index: Int, _ tokens: [Token]) -> Bool {
    tokens[index - 1].range.upperBound < tokens[index].range.lowerBound
  }

  /// Whether an expression begins behind a token.
  private static func begins(_ index: Int, _ tokens: [Token]) -> Bool {
    let words: Set = [
      "return", "in", "throw", "case", "default", "else", "let", "var", "if", "guard", "while", "where",
    ]
    let token = tokens[index]
    if token.kind == .identifier { return words.contains(token.text) }
    if [",", ";"].contains(token.text) { return true }
    // An assignment, and not a part of `==`.
    guard token.isPunctuation("="), index > 0, index + 1 < tokens.count else { return false }
    return hasSpace(index, tokens) && hasSpace(index + 1, tokens)
  }

  private static let operators: Set = ["?", ":", ".", "+", "-", "*", "/", "&", "|", "<", ">", "=", "!", "~", "^", "%"]

  private static func end(of start: Int, _ tokens: [Token]) -> Int {
    var parser = Parser(tokens, path: "")
    parser.position = start
    while let token = parser.current {
      let place = parser.position
      if case .directive = token.kind { return place }
      if [",", ";", ")", "]", "}"].contains(token.text) { return place }
      if place > start, token.line > tokens[place - 1].line,
        !continues(tokens[place - 1]) && !continues(token)
      {
        return place
      }
      guard ["(", "[", "{"].contains(token.text) else {
        parser.position += 1
        continue
      }
      parser.skipBalanced()
      // Accessors, or the body of a condition, and no closure of which something is asked.
      if token.text == "{", parser.current.map({ [".", "?"].contains($0.text) }) != true { return place }
    }
    return tokens.count
  }

  /// Whether an expression goes on behind, or with, such a token in another line.
  private static func continues(_ token: Token) -> Bool {
    token.kind == .punctuation ? operators.contains(token.text) : ["as", "is"].contains(token.text)
  }

  private mutating func split(_ range: Range<Int>, _ tokens: [Token]) {
    if range.count > 2, tokens[range.lowerBound].isPunctuation("(") {
      var parser = Parser(tokens, path: "")
      parser.position = range.lowerBound
      parser.skipBalanced()
      if parser.position == range.upperBound {
        return split(range.lowerBound + 1..<range.upperBound - 1, tokens)
      }
    }
    var depth = 0
    var mark: Int?
    var conditions = 0
    for place in range {
      if ["(", "[", "{"].contains(tokens[place].text) { depth += 1 }
      if [")", "]", "}"].contains(tokens[place].text) { depth -= 1 }
      guard depth == 0 else { continue }
      if Self.isMark(place, tokens) {
        conditions += 1
        mark = mark ?? place
      } else if tokens[place].isPunctuation(":"), let mark {
        conditions -= 1
        guard conditions == 0 else { continue }
        split(mark + 1..<place, tokens)
        split(place + 1..<range.upperBound, tokens)
        return
      }
    }
    branches.append(range)
  }
}
