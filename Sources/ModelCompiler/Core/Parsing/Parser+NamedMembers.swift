extension Parser {
  /// Notes the properties of a declaration that key-value coding could find by their names; the parser's position does
  /// not change.
  mutating func noteNamedProperties(_ modifiers: Modifiers, in scope: Scope) {
    guard isReachable(modifiers, in: scope) else { return }
    let start = position
    defer { position = start }
    position += 1
    repeat {
      guard let token = current, token.isName else { return }
      position += 1
      var isExpressible = false
      if take(":") {
        if isKeyword("some") { return }
        isExpressible = Parser.isExpressible(parseTypeSyntax())
      }
      if hasEffects { return }
      note(
        token, modifiers.isStatic ? .classProperty : .property, modifiers, in: scope, isExpressible: isExpressible)
      // If a property has an initial value, the next comma may belong to the value.
    } while take(",")
  }

  /// Notes a method that expressions or key-value observing could find by its name; the parser's position does not
  /// change.
  mutating func noteNamedMethod(_ modifiers: Modifiers, in scope: Scope) {
    guard isReachable(modifiers, in: scope), let name = token(1), name.isName, token(2)?.isPunctuation("(") == true
    else { return }
    let start = position
    defer { position = start }
    position += 2
    guard let labels = plainLabels() else { return }
    if ["async", "throws", "rethrows"].contains(where: isKeyword) { return }
    note(
      name, modifiers.isStatic ? .classMethod(labels) : .method(labels), modifiers, in: scope, isExpressible: true)
  }

  private mutating func note(
    _ name: Token, _ kind: NamedMember.Kind, _ modifiers: Modifiers, in scope: Scope, isExpressible: Bool
  ) {
    var member = NamedMember(info: info(name.text, modifiers, line: name.line, in: scope), kind: kind)
    member.objectiveCName = modifiers.attributes.first { $0.hasPrefix("objc(") }.map {
      String($0.dropFirst(5).dropLast())
    }
    member.isExposed = scope.isExposed || modifiers.attributes.contains { $0 == "objc" || $0.hasPrefix("objc(") }
    member.hasExpressibleType = isExpressible
    member.isOverride = modifiers.isOverride
    member.isConstrained = scope.isConstrained
    file.namedMembers.append(member)
  }

  /// Whether generated code can name a member, on every thread and system.
  private func isReachable(_ modifiers: Modifiers, in scope: Scope) -> Bool {
    !scope.container.path.isEmpty && !scope.isIsolated && !Parser.isIsolated(modifiers)
      && !modifiers.attributes.contains { $0.hasPrefix("available(") || $0.hasPrefix("nonobjc") }
  }

  /// Whether a global actor isolates the declaration: by convention the names of such attributes end with "Actor".
  static func isIsolated(_ modifiers: Modifiers) -> Bool { modifiers.attributes.contains { $0.hasSuffix("Actor") } }

  /// Whether the getter that follows is asynchronous or throws; such a property has no key path.
  private var hasEffects: Bool {
    guard isPunctuation("{"), token(1)?.isKeyword("get") == true, let effect = token(2) else { return false }
    return effect.isKeyword("async") || effect.isKeyword("throws")
  }

  /// Reads a list of parameters whose values can be passed on unchanged; returns nil if there are other parameters.
  private mutating func plainLabels() -> [String?]? {
    guard take("(") else { return nil }
    var labels: [String?] = []
    while let label = takeName() {
      _ = takeName()
      guard take(":"), !isKeyword("inout"), !isKeyword("some") else { return nil }
      labels.append(label == "_" ? nil : label)
      // A non-escaping function cannot be passed on.
      if case .unsupported = parseTypeSyntax() { return nil }
      // A default value or a variadic parameter follows.
      if !isPunctuation(","), !isPunctuation(")") { return nil }
      guard take(",") else { break }
    }
    return take(")") ? labels : nil
  }

  /// Whether a property in Objective-C can have the type, judged by the type's name.
  private static func isExpressible(_ type: TypeSyntax) -> Bool {
    switch type {
    case .optional(let wrapped): isExpressible(wrapped)
    case .named(let names, let arguments):
      (names.last.map { expressible.contains($0) || $0.hasPrefix("NS") } ?? false)
        && arguments.allSatisfy(isExpressible)
    case .array(let element): isExpressible(element)
    case .dictionary(let key, let value): isExpressible(key) && isExpressible(value)
    default: false
    }
  }

  private static let expressible: Set = [
    "Any", "AnyObject", "AnyHashable", "Array", "Bool", "Data", "Date", "Dictionary", "Double", "Float", "Int", "Int16",
    "Int32",
    "Int64", "Int8", "Set", "String", "TimeInterval", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
    "Decimal",
  ]
}
