extension Rewriter {
  /// Gives an `@NSManaged` declaration the body that the Objective-C runtime would supply.
  /// - Parameter local: the class that has the member, if it is declared in a function.
  mutating func giveBody(
    to member: ManagedMember, of local: LocalClass? = nil, in file: SourceFile, _ edits: inout SourceEdits
  ) {
    switch member.kind {
    case .property:
      let key = keys.constant(for: member.info.name)
      beginDeclaration(of: member, in: file, &edits)
      var tokens = member.typeTokens
      var declared = ""
      if tokens.isEmpty {
        // In `var a, b: T` the type is written after a later name.
        let members = local?.members ?? file.parsed.members
        guard let next = members.first(where: { $0.nameToken > member.nameToken && !$0.typeTokens.isEmpty })
        else { return }
        tokens = next.typeTokens
        declared = ": " + file.text(tokens)
      }
      let getter = Rewriter.isBase(file.text(tokens)) ? "_managedObject" : "_managedValue"
      let last = declared.isEmpty ? tokens.upperBound - 1 : member.nameToken
      edits.insert(
        "\(declared) { get { \(getter)(\(key)) } set { _setManagedValue(newValue, \(key)) } }",
        at: file.tokens[last].range.upperBound)
    case .method(let parameters, let obstacle):
      if let obstacle { return fail(member, "cannot be given a body: \(obstacle)", in: file) }
      guard let method = RelationshipMethod(name: member.info.name, labels: parameters.map(\.label)) else {
        return fail(member, RelationshipMethod.unknown, in: file)
      }
      let declared: Set<String>
      do {
        declared = try declaredProperties(beside: member, of: local)
      } catch {
        return fail(member, (error as? Obstacle)?.reason ?? "\(error)", in: file)
      }
      let key = keys.constant(for: method.key(among: declared))
      let passed = zip(method.labels, parameters).map { label, parameter in
        (label.map { "\($0): " } ?? "") + SourceName.spelled(parameter.name)
      }
      edits.insert(
        " { \(method.function)(\((passed + [key]).joined(separator: ", "))) }",
        at: file.tokens[member.lastToken].range.upperBound)
    }
  }

  /// Returns the names of the managed properties that a method's class has.
  private func declaredProperties(beside member: ManagedMember, of local: LocalClass?) throws -> Set<String> {
    guard let local else {
      return program.declaredProperties(of: try program.owner(of: member), in: files.map(\.parsed))
    }
    return Set(
      local.members.filter { if case .property = $0.kind { true } else { false } }.map(\.info.name))
  }

  /// Splits `var a, b: T` into two declarations, because one of several names cannot have a body.
  private func beginDeclaration(of member: ManagedMember, in file: SourceFile, _ edits: inout SourceEdits) {
    let comma = member.nameToken - 1
    guard comma > 0, file.tokens[comma].isPunctuation(","),
      let keyword = file.tokens[..<comma].lastIndex(where: { $0.isKeyword("var") })
    else { return }
    var first = keyword
    while first > 0, file.tokens[first - 1].line == file.tokens[keyword].line {
      let token = file.tokens[first - 1]
      // `private(set)`
      if token.isPunctuation(")"), first > 3, AccessLevel(keyword: file.tokens[first - 4].text) != nil {
        first -= 4
      } else if AccessLevel(keyword: token.text) != nil
        || ["override", "final", "dynamic", "nonisolated"].contains(where: token.isKeyword)
      {
        first -= 1
      } else {
        break
      }
    }
    edits.replace(file.tokens[comma].range, with: "; " + file.text(first..<(keyword + 1)))
  }

  private mutating func fail(_ member: ManagedMember, _ reason: String, in file: SourceFile) {
    let name = (member.info.container.path + [member.info.name]).joined(separator: ".")
    report("@NSManaged method '\(name)' \(reason)", member.info.line, file)
  }

  /// Whether a type is a base of several types for which the framework has accessors.
  private static func isBase(_ type: String) -> Bool {
    let bare = type.filter { !"?!() ".contains($0) }
    return type.contains("any ") || type.contains("&")
      || [
        "Any", "AnyObject", "NSObject", "NSValue", "NSCoding", "NSSecureCoding", "NSCopying", "NSObjectProtocol",
      ].contains(bare)
  }
}
