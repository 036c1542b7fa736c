extension Rewriter {
  /// Returns the string for `#keyPath(Person.address.city)`: the names of the properties, without the names of types
  /// before them.
  func keyPath(_ tokens: [Token]) -> String {
    let names = tokens.filter(\.isName).map(\.text)
    return SourceName.quoted(names.dropFirst(typeCount(names)).joined(separator: "."))
  }

  /// Returns how many of the first names are those of a module or of types.
  private func typeCount(_ names: [String]) -> Int {
    var count = 0
    while count + 1 < names.count, isType(Array(names.prefix(count + 1))) { count += 1 }
    // An uppercase name is taken for a type of a library whose source is not available.
    if count == 0, names.count > 1, names[0].first?.isUppercase == true { return 1 }
    return count
  }

  private func isType(_ names: [String]) -> Bool {
    if names.count == 1, names[0] == program.module.name || program.dependency(names[0]) != nil { return true }
    return program.find(names, from: Container(), in: program.module) != nil
  }

  /// Returns the selector for `#selector(Person.wake(at:))`, by the rules for a method's Objective-C name.
  func selector(_ tokens: [Token], in file: SourceFile) -> String {
    var tokens = tokens[...]
    var isSetter = false
    if tokens.count > 2, tokens[tokens.startIndex + 1].isPunctuation(":") {
      isSetter = tokens.removeFirst().isKeyword("setter")
      tokens.removeFirst()
    }
    if let cast = tokens.firstIndex(where: { $0.isKeyword("as") }) { tokens = tokens[..<cast] }
    let end = tokens.firstIndex { $0.isPunctuation("(") } ?? tokens.endIndex
    let name = tokens[..<end].last(where: \.isName)?.text ?? ""
    if isSetter { return spelled("set" + name.prefix(1).uppercased() + name.dropFirst() + ":") }
    if end < tokens.endIndex {
      return spelled(SelectorName.of(name, tokens[end...].filter(\.isName).map(\.text)))
    }
    return spelled(SelectorName.of(name, labels(ofMethod: name, in: file)))
  }

  private func spelled(_ selector: String) -> String { "Selector(\(SourceName.quoted(selector)))" }

  /// Returns the labels of a method that is named without them: as the file or the module declares the method, or as
  /// Foundation does.
  private func labels(ofMethod name: String, in file: SourceFile) -> [String] {
    for file in [file] + files {
      for index in file.tokens.indices.dropLast(2)
      where file.tokens[index].isKeyword("func") && file.tokens[index + 1].text == name {
        guard let end = closing(index + 2, file.tokens) else { continue }
        return labels(Array(file.tokens[(index + 3)..<end]))
      }
    }
    return name.lowercased().hasSuffix("compare") ? ["_"] : []
  }

  /// Returns the first name of each parameter in a list.
  func labels(_ tokens: [Token]) -> [String] {
    var labels: [String] = []
    var depth = 0
    var isFirst = true
    for token in tokens {
      if ["(", "[", "<"].contains(token.text), token.kind == .punctuation { depth += 1 }
      if [")", "]", ">"].contains(token.text), token.kind == .punctuation { depth -= 1 }
      if depth == 0, token.isPunctuation(",") { isFirst = true }
      if isFirst, token.isName {
        labels.append(token.text)
        isFirst = false
      }
    }
    return labels
  }
}
