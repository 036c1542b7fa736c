/// A name in a function, with the type that it is declared with there.
struct LocalName {
  private let name: String
  private let tokens: [Token]
  /// Whether the function declares the name, or may do so.
  private(set) var isBound = false
  /// The type as it is written; nil where the sources do not say it.
  private(set) var type: [String]?

  init(_ name: String, _ tokens: [Token]) {
    self.name = name
    self.tokens = tokens
  }

  /// Looks for the declaration that is nearest to the end of the range, which lies in a function's body.
  ///
  /// Scopes that are closed before the end are passed over.
  mutating func look(in range: Range<Int>) {
    var closed = 0
    for place in range.reversed() where place > range.lowerBound {
      if tokens[place].isPunctuation("}") { closed += 1 }
      if tokens[place].isPunctuation("{"), closed > 0 { closed -= 1 }
      guard closed == 0, tokens[place].isName, tokens[place].text == name else { continue }
      if ["let", "var"].contains(tokens[place - 1].text) {
        isBound = true
        // The name of a condition ends with the statement, of which nothing is read here.
        guard place < 2 || !Self.conditions.contains(tokens[place - 2].text) else { return }
        type = declaredType(after: place)
        return
      }
      if mayBind(place, in: range) {
        isBound = true
        return
      }
    }
  }

  private static let conditions: Set = ["if", "while", ",", "case", "(", "for", "catch"]

  /// Whether the name may be one of a pattern, a closure's parameters or its list of captures.
  private func mayBind(_ place: Int, in range: Range<Int>) -> Bool {
    let previous = tokens[place - 1]
    if previous.isPunctuation(".") { return false }
    if previous.text == "for" { return true }
    guard place + 1 < tokens.count else { return false }
    let next = tokens[place + 1]
    if next.isKeyword("in") || next.isPunctuation(":") { return true }
    if next.isPunctuation("="), ["[", ",", "weak", "unowned"].contains(previous.text) { return true }
    // `{ a, name, c in`, `{ (a, name) in` and `let (a, name) = f()`.
    guard ["(", ",", "{"].contains(previous.text) else { return false }
    var after = place + 1
    while after < tokens.count, tokens[after].isName && !tokens[after].isKeyword("in") || tokens[after].text == "," {
      after += 1
    }
    guard after < tokens.count else { return false }
    if tokens[after].isKeyword("in") { return true }
    guard tokens[after].isPunctuation(")"), after + 1 < tokens.count else { return false }
    return ["in", "=", "-", "->", "async", "throws"].contains(tokens[after + 1].text)
  }

  /// The type of a variable: as it is written, or made by its name and by nothing else.
  private func declaredType(after place: Int) -> [String]? {
    guard place + 2 < tokens.count else { return nil }
    if tokens[place + 1].isPunctuation(":") { return Self.typeName(at: place + 2, tokens) }
    guard tokens[place + 1].isPunctuation("="), let names = Self.typeName(at: place + 2, tokens),
      names.last?.first?.isUppercase == true
    else { return nil }
    var parser = Parser(tokens, path: "")
    parser.position = place + 2 + names.count * 2 - 1
    guard parser.isPunctuation("(") else { return nil }
    let line = parser.current?.line
    parser.skipBalanced()
    guard let next = parser.current else { return names }
    let ends = [";", "}"].contains(next.text) || next.isKeyword("else")
    let begins = next.isName && next.line != line && !["as", "is"].contains(next.text)
    return ends || begins ? names : nil
  }

  /// Looks in the list of a function's parameters.
  mutating func look(inParameters list: Range<Int>) {
    for part in OptionalRequirement.split(list.lowerBound + 1..<list.upperBound - 1, tokens) {
      guard let colon = part.first(where: { tokens[$0].isPunctuation(":") }), colon > part.lowerBound,
        tokens[colon - 1].text == name
      else { continue }
      isBound = true
      type = Self.typeName(at: colon + 1, tokens)
    }
  }

  /// Returns the names of the type at a place; nil for one that is no name, such as a list, a function or `A & B`.
  static func typeName(at start: Int, _ tokens: [Token]) -> [String]? {
    let words: Set = ["any", "some", "inout", "borrowing", "consuming", "sending", "isolated"]
    var place = start
    while place < tokens.count, words.contains(tokens[place].text) { place += 1 }
    var names: [String] = []
    while place < tokens.count, tokens[place].isName {
      names.append(tokens[place].text)
      place += 1
      guard place < tokens.count, tokens[place].isPunctuation(".") else { break }
      place += 1
    }
    if place < tokens.count, ["&", "->"].contains(tokens[place].text) { return nil }
    return names.isEmpty ? nil : names
  }
}
