import Foundation

/// The expressions of derived attributes, as source models spell them.
enum DerivationSource {
  /// Returns the text that version hashes use: `count:(pages)` for `pages.@count`. Returns nil for an expression that
  /// only the framework can parse.
  static func text(_ source: String) -> String? {
    let source = source.trimmingCharacters(in: .whitespaces)
    for name in ["count", "sum"] where source.hasSuffix(".@" + name) {
      let path = source.dropLast(name.count + 2)
      return isKeyPath(path) ? "\(name):(\(path))" : nil
    }
    if isKeyPath(source[...]) { return source }
    guard let open = source.firstIndex(of: "("), source.hasSuffix(")") else { return nil }
    let name = source[..<open].trimmingCharacters(in: .whitespaces)
    let arguments = source[source.index(after: open)..<source.index(before: source.endIndex)]
      .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0 == ":" }), arguments.allSatisfy({ isKeyPath($0[...]) })
    else { return nil }
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }

  /// Whether a text is a key path: names joined by dots, without operators such as `@max`.
  private static func isKeyPath(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { name in
      name.first.map { $0.isLetter || $0 == "_" } == true && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
  }
}
