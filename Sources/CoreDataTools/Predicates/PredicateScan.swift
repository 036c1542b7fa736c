import Foundation

/// A word or sign in the text of a predicate that may not be finished yet.
struct PredicateWord: Equatable {
  enum Kind: Equatable {
    /// A key path, function, variable or keyword, as it is written: `owner.name`, `$tag.name`, `tags.@count`.
    case name
    case string, number
    /// An operator that compares, with its options: `==`, `CONTAINS[cd]`.
    case comparison
    /// AND, OR, NOT and their signs.
    case connective
    /// ANY, ALL, NONE, SOME.
    case quantifier
    case open, close, comma
    /// An arithmetic operator, or any other sign.
    case sign
  }

  let kind: Kind
  let text: String
  /// The place of the word in the text, in characters.
  let range: Range<Int>
  /// Whether a string has its closing quote; true for every other word.
  var isFinished = true
}

/// Cuts the text of a predicate into words, even if the text is not a valid predicate.
struct PredicateScan {
  private(set) var words: [PredicateWord] = []
  private let text: [Character]

  static let comparisons: Set<String> = [
    "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN",
  ]
  static let connectives: Set<String> = ["AND", "OR", "NOT"]
  static let quantifiers: Set<String> = ["ANY", "ALL", "NONE", "SOME"]
  static let constants: Set<String> = [
    "NIL", "NULL", "TRUE", "FALSE", "YES", "NO", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  init(_ text: some StringProtocol) {
    self.text = Array(text)
    var position = 0
    while position < self.text.count { position = word(at: position) }
  }

  private mutating func word(at start: Int) -> Int {
    let first = text[start]
    if first.isWhitespace { return start + 1 }
    if first == "\"" || first == "'" { return string(at: start, first) }
    if first.isNumber { return take(.number, start) { $0.isNumber || $0 == "." || $0 == "e" } }
    if Self.isName(first) || "@$#".contains(first) { return name(at: start) }
    switch first {
    case "(", "{", "[": return add(.open, start..<start + 1)
    case ")", "}", "]": return add(.close, start..<start + 1)
    case ",": return add(.comma, start..<start + 1)
    case "=", "<", ">": return options(add(.comparison, start..<end(start) { "=<>".contains($0) }))
    case "!" where start + 1 < text.count && text[start + 1] == "=":
      return options(add(.comparison, start..<start + 2))
    case "!": return add(.connective, start..<start + 1)
    case "&", "|":
      let end = end(start) { $0 == first }
      return add(end - start == 2 ? .connective : .sign, start..<end)
    default: return add(.sign, start..<start + 1)
    }
  }

  private static func isName(_ character: Character) -> Bool {
    character == "_" || character.isLetter || character.unicodeScalars.first.map { $0.value >= 0x80 } == true
  }

  private func end(_ start: Int, _ holds: (Character) -> Bool) -> Int {
    var end = start
    while end < text.count, holds(text[end]) { end += 1 }
    return end
  }

  private mutating func take(_ kind: PredicateWord.Kind, _ start: Int, _ holds: (Character) -> Bool) -> Int {
    add(kind, start..<end(start, holds))
  }

  private mutating func add(_ kind: PredicateWord.Kind, _ range: Range<Int>) -> Int {
    words.append(PredicateWord(kind: kind, text: String(text[range]), range: range))
    return range.upperBound
  }

  private mutating func string(at start: Int, _ quote: Character) -> Int {
    var position = start + 1
    while position < text.count, text[position] != quote { position += text[position] == "\\" ? 2 : 1 }
    let isFinished = position < text.count
    let end = min(position + 1, text.count)
    words.append(
      PredicateWord(kind: .string, text: String(text[start..<end]), range: start..<end, isFinished: isFinished))
    return end
  }

  private mutating func name(at start: Int) -> Int {
    let end = end(start) { Self.isName($0) || $0.isNumber || "@$#.".contains($0) }
    let word = String(text[start..<end]).uppercased()
    if Self.comparisons.contains(word) { return options(add(.comparison, start..<end)) }
    if Self.connectives.contains(word) { return add(.connective, start..<end) }
    if Self.quantifiers.contains(word) { return add(.quantifier, start..<end) }
    return add(.name, start..<end)
  }

  /// Adds options such as `[cd]` to the operator in front of them, and returns where the operator ends.
  private mutating func options(_ end: Int) -> Int {
    guard end < text.count, text[end] == "[", let last = words.last else { return end }
    let close = self.end(end) { $0 != "]" }
    guard close < text.count, close - end <= 4 else { return end }
    words.removeLast()
    return add(last.kind, last.range.lowerBound..<close + 1)
  }
}
