extension Rewriter {
  /// The value on which a method is called, as far as the sources say.
  enum Receiver {
    /// Nothing is named: a member of the type itself, or a function.
    case nothing
    case own
    /// `super`.
    case inherited
    /// A value of a type that the rewritten files declare or extend.
    case types([[String]])
    case unknown
  }

  /// Returns what stands before the dot of a name, by the type that a parameter, a variable or a property is declared with.
  ///
  /// Wherever the sources leave a doubt, the receiver is unknown.
  func receiver(
    of position: Int, in member: MemberOutline?, of owner: [String], _ index: Int, _ types: DeclaredTypes
  ) -> Receiver {
    let tokens = files[index].tokens
    guard position > 1, tokens[position - 1].isPunctuation(".") else { return .nothing }
    var place = position - 2
    while place > 0, tokens[place].isPunctuation("?") || tokens[place].isPunctuation("!") { place -= 1 }
    guard tokens[place].isName else { return .unknown }
    let name = tokens[place].text
    if place > 0, tokens[place - 1].isPunctuation(".") {
      guard place > 1, tokens[place - 2].isKeyword("self"), place < 3 || !tokens[place - 3].isPunctuation(".") else {
        return .unknown
      }
    } else if tokens[place].isKeyword("self") {
      return .own
    } else if tokens[place].isKeyword("super") {
      return .inherited
    } else if let member {
      var local = LocalName(name, tokens)
      if let body = member.body, body.contains(place) { local.look(in: body.lowerBound..<place) }
      if let list = member.parameters, !local.isBound { local.look(inParameters: list) }
      if local.isBound { return types.receiver(local.type, besides: genericNames(of: member, tokens)) }
    }
    return types.receiver(typeOfProperty(name, of: owner, types), besides: [])
  }

  /// The type that a property of a type, or of a class or protocol that it inherits from, is declared with.
  private func typeOfProperty(_ name: String, of owner: [String], _ types: DeclaredTypes) -> [String]? {
    let family = types.family(of: owner)
    let found = (types.members[name] ?? []).filter {
      ["var", "let"].contains($0.outline.keyword) && family.contains($0.owner.path)
    }.map { property in
      let tokens = files[property.file].tokens
      let colon = property.outline.keywordToken + 2
      return colon < tokens.count && tokens[colon].isPunctuation(":")
        ? LocalName.typeName(at: colon + 1, tokens) : nil
    }
    guard let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// The names between the angle brackets of a function.
  private func genericNames(of member: MemberOutline, _ tokens: [Token]) -> Set<String> {
    guard let list = member.parameters else { return [] }
    return Set(tokens[member.keywordToken..<list.lowerBound].dropFirst(2).filter(\.isName).map(\.text))
  }
}

extension DeclaredTypes {
  fileprivate func receiver(_ names: [String]?, besides generic: Set<String>) -> Rewriter.Receiver {
    guard let names, let first = names.first, !generic.contains(first) else { return .unknown }
    let known = types(named: names)
    return known.isEmpty ? .unknown : .types(known)
  }
}
