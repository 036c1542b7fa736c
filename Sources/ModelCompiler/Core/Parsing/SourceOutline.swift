/// The body of a type or an extension, with the places of its members.
///
/// `ParsedFile` has the meaning of declarations; this type has their places, for code that edits the source.
struct TypeBody {
  /// `class`, `struct`, `enum`, `actor`, `protocol` or `extension`.
  var keyword: String
  /// The names of the enclosing types and of the type itself; for an extension, the type that it extends.
  var path: [String]
  /// The access level that the declaration states.
  var access: AccessLevel?
  /// Whether the type is generic, or the extension has a `where` clause.
  var isConstrained = false
  /// The tokens of the body's braces.
  var open: Int
  var close: Int
  /// The enclosing `#if` conditions.
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
  /// All tokens of the member, from the first attribute or modifier on. A property's initial value is not included.
  var tokens: Range<Int>
  /// The tokens of the member's modifiers, including access levels.
  var modifiers: [Int] = []
  /// The names of the member's attributes.
  var attributes: [String] = []
  /// The tokens of the parameters, including the parentheses.
  var parameters: Range<Int>?
  /// The tokens of the body or the accessors, including the braces; nil if there are none.
  var body: Range<Int>?
  /// Whether the member is a stored property that an initialiser must set.
  var needsValue = false
  /// The enclosing `#if` conditions.
  var conditions: [String] = []

  /// Returns the access level that the member has in a body.
  func level(in body: TypeBody, _ tokens: [Token]) -> AccessLevel {
    // Only extensions and protocols give their members a level.
    let given = ["extension", "protocol"].contains(body.keyword) ? body.access : nil
    return access(tokens)?.level ?? given ?? .internal
  }

  func modifier(_ word: String, _ tokens: [Token]) -> Int? { modifiers.first { tokens[$0].isKeyword(word) } }

  /// Returns the token of the member's access level, and the level.
  func access(_ tokens: [Token]) -> (token: Int, level: AccessLevel)? {
    for index in modifiers {
      // `private(set)` restricts only the setter.
      if index + 1 < tokens.count, tokens[index + 1].isPunctuation("(") { continue }
      if let level = AccessLevel(keyword: tokens[index].text) { return (index, level) }
    }
    return nil
  }
}
