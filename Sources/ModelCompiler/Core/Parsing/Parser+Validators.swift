extension Parser {
  /// Notes a method that key-value validation would call; the parser's position does not change.
  ///
  /// Such a method is `func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws`, or has the
  /// attribute `@objc(validateName:error:)`.
  mutating func noteValidator(_ modifiers: Modifiers, in scope: Scope) {
    guard !modifiers.isStatic, !scope.container.path.isEmpty, let name = token(1), name.isName,
      token(2)?.isPunctuation("(") == true, let key = validatedKey(name.text, modifiers)
    else { return }
    let start = position
    defer { position = start }
    position += 2
    let parameters = parseParameters()
    guard parameters.count == 1, parameters[0].label == nil, Self.isPointer(parameters[0].type),
      isKeyword("throws"), token(1)?.isPunctuation("{") == true
    else { return }
    file.validators.append(
      ValidatorMethod(
        info: info(name.text, modifiers, line: name.line, in: scope), key: key, isConstrained: scope.isConstrained))
  }

  /// Returns the validated key: `Name` for `validateName`.
  private func validatedKey(_ name: String, _ modifiers: Modifiers) -> String? {
    let selector = modifiers.attributes.first { $0.hasPrefix("objc(") }.map { $0.dropFirst(5).dropLast() }
    let method: Substring
    if let selector {
      guard selector.hasSuffix(":error:") else { return nil }
      method = selector.dropLast(":error:".count)
    } else {
      method = name[...]
    }
    guard method.hasPrefix("validate") else { return nil }
    let key = method.dropFirst("validate".count)
    // `validated(_:)` is not such a method.
    guard let first = key.first, !first.isLowercase, !key.contains(":") else { return nil }
    return String(key)
  }

  private static func isPointer(_ type: TypeSyntax) -> Bool {
    switch type {
    case .optional(let wrapped): isPointer(wrapped)
    case .named(let names, let arguments):
      ["AutoreleasingUnsafeMutablePointer", "UnsafeMutablePointer"].contains(names.last)
        && arguments == [.optional(.named(["AnyObject"], arguments: []))]
    default: false
    }
  }
}
