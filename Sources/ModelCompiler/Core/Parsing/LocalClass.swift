/// A class that is declared in a function, an accessor or a closure.
///
/// Other declarations cannot name it, so that it belongs to no module's index.
struct LocalClass {
  var body: TypeBody
  var declaration: TypeDeclaration
  /// The class's `@NSManaged` members.
  var members: [ManagedMember]

  /// Returns the local classes of a file, in the order of their beginnings.
  /// - Parameter bodies: the bodies of the types and extensions that are not local.
  static func all(in tokens: [Token], besides bodies: [TypeBody]) -> [LocalClass] {
    var known = Set(bodies.map(\.open))
    var classes: [LocalClass] = []
    for position in tokens.indices.dropLast(2)
    where tokens[position].isKeyword("class") && tokens[position + 1].isName
      && [":", "{", "<"].contains(tokens[position + 2].text)
    {
      // `protocol P: class {` is the same words.
      if position > 0, tokens[position - 1].isPunctuation(":") || tokens[position - 1].isPunctuation(",") { continue }
      for found in Parser.localClasses(tokens, at: position) where known.insert(found.body.open).inserted {
        classes.append(found)
      }
    }
    return classes
  }
}

extension Parser {
  /// Returns the class that begins at a token, and those in it.
  fileprivate static func localClasses(_ tokens: [Token], at position: Int) -> [LocalClass] {
    var outline = Parser(tokens, path: "")
    outline.position = position
    var bodies: [TypeBody] = []
    outline.outlineBody("class", OutlinePrefix(), [], &bodies)
    var parser = Parser(tokens, path: "")
    parser.position = position
    parser.parseType("class", Modifiers(), in: Scope())
    return bodies.filter { $0.keyword == "class" }.compactMap { body in
      guard let type = parser.file.types.first(where: { $0.info.container.path + [$0.info.name] == body.path }) else {
        return nil
      }
      return LocalClass(
        body: body, declaration: type, members: parser.file.members.filter { $0.info.container.path == body.path })
    }
  }
}
