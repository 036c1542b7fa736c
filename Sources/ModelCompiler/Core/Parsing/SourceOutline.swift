/// The body of a type or an extension, with the places of its members.
///
/// `ParsedFile` contains what declarations mean; this type contains their places, for code that edits the source.
struct TypeBody {
  /// `class`, `struct`, `enum`, `actor`, `protocol` or `extension`.
  var keyword: String
  /// The names of the types around, and its own; for an extension, the type that it extends.
  var path: [String]
  /// The access that it states.
  var access: AccessLevel?
  /// Whether the type is generic, or is an extension with a `where` clause.
  var isConstrained = false
  /// The tokens of its braces.
  var open: Int
  var close: Int
  /// The `#if` conditions around it.
  var conditions: [String] = []
  var members: [MemberOutline] = []
}

/// The place of a property, method, subscript or initialiser.
struct MemberOutline {
  /// `var`, `let`, `func`, `init`, `subscript` or `deinit`.
  var keyword: String
  var keywordToken: Int
  /// The name; empty for an operator, a subscript and an initialiser.
  var name = ""
  /// All tokens of the member, from the first attribute or modifier; a property's initial value is not included.
  var tokens: Range<Int>
  /// The tokens of its modifiers, access levels among them.
  var modifiers: [Int] = []
  /// The names of its attributes.
  var attributes: [String] = []
  /// The parentheses of its parameters, and everything in between.
  var parameters: Range<Int>?
  /// The first token of the parameters' or the property's end: `async`, `->`, or the body.
  var body: Range<Int>?
  /// Whether the member is a stored property that an initialiser must set.
  var needsValue = false
  /// The `#if` conditions around it.
  var conditions: [String] = []

  func modifier(_ word: String, _ tokens: [Token]) -> Int? { modifiers.first { tokens[$0].isKeyword(word) } }

  /// The token of its access level, and the level.
  func access(_ tokens: [Token]) -> (token: Int, level: AccessLevel)? {
    for index in modifiers {
      // `private(set)` is about the setter alone.
      if index + 1 < tokens.count, tokens[index + 1].isPunctuation("(") { continue }
      if let level = AccessLevel(keyword: tokens[index].text) { return (index, level) }
    }
    return nil
  }
}
