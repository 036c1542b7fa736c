extension Rewriter {
  /// The value on which a method is called, as far as the sources say.
  enum Receiver {
    /// Nothing is named: a member of the type itself, or a function.
    case nothing
    /// `self` or `super`.
    case own
    /// A value of a type with this name.
    case named([String])
    case unknown
  }

  /// Returns what stands before the dot of a name, by the type that a parameter, a variable or a property is declared with.
  func receiver(
    of position: Int, in member: MemberOutline?, of owner: [String], _ index: Int,
    _ types: DeclaredTypes
  )
    -> Receiver
  {
    let tokens = files[index].tokens
    guard position > 1, tokens[position - 1].isPunctuation(".") else { return .nothing }
    var place = position - 2
    while place > 0, tokens[place].isPunctuation("?") || tokens[place].isPunctuation("!") {
      place -= 1
    }
    guard
      tokens[place].isName || tokens[place].isKeyword("self") || tokens[place].isKeyword("super")
    else { return .unknown }
    let name = tokens[place].text
    let isMember = place > 0 && tokens[place - 1].isPunctuation(".")
    if !isMember, ["self", "super"].contains(name) { return .own }
    if isMember {
      guard place > 1, tokens[place - 2].text == "self",
        place < 3 || !tokens[place - 3].isPunctuation(".")
      else { return .unknown }
    } else if let member {
      if let body = member.body, let type = localType(of: name, in: body.lowerBound..<place, tokens)
      {
        return .named(type)
      }
      if let list = member.parameters, let type = Self.typeName(after: name, in: list, tokens) {
        return .named(type)
      }
    }
    let family = types.family(of: owner)
    for property in types.members[name] ?? []
    where ["var", "let"].contains(property.outline.keyword) && family.contains(property.owner.path)
    {
      if let type = Self.typeName(
        after: name, in: property.outline.tokens, files[property.file].tokens)
      {
        return .named(type)
      }
    }
    return .unknown
  }

  /// Returns the type of a variable that is declared before in the same function: as it is written, or made by its name.
  private func localType(of name: String, in range: Range<Int>, _ tokens: [Token]) -> [String]? {
    for place in range.reversed() where place > 0 && tokens[place].text == name {
      guard ["let", "var"].contains(tokens[place - 1].text), place + 2 < tokens.count else {
        continue
      }
      if tokens[place + 1].isPunctuation(":") { return Self.typeName(at: place + 2, tokens) }
      guard tokens[place + 1].isPunctuation("="), let type = Self.typeName(at: place + 2, tokens),
        type.last?.first?.isUppercase == true, place + 2 + type.count * 2 - 1 < tokens.count,
        tokens[place + 2 + type.count * 2 - 1].isPunctuation("(")
      else { return nil }
      return type
    }
    return nil
  }

  /// Returns the names of the type that is written behind `name:`.
  private static func typeName(after name: String, in range: Range<Int>, _ tokens: [Token])
    -> [String]?
  {
    for place in range.dropLast(2)
    where tokens[place].text == name && tokens[place + 1].isPunctuation(":") {
      return typeName(at: place + 2, tokens)
    }
    return nil
  }

  private static func typeName(at start: Int, _ tokens: [Token]) -> [String]? {
    var place = start
    while place < tokens.count,
      ["any", "some", "inout", "borrowing", "consuming", "sending", "isolated"].contains(
        tokens[place].text)
    {
      place += 1
    }
    var names: [String] = []
    while place < tokens.count, tokens[place].isName {
      names.append(tokens[place].text)
      guard place + 1 < tokens.count, tokens[place + 1].isPunctuation(".") else { break }
      place += 2
    }
    return names.isEmpty ? nil : names
  }
}
