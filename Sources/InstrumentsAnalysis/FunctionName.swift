/// Shortens a function's full name: `SingleFaultTest.read(in:)` for `PerformanceTuning.SingleFaultTest.read(in:
/// OpenCoreData.NSManagedObjectContext) throws -> PerformanceTuning.NamesRead`.
package enum FunctionName {
  /// Returns the short name of a function.
  /// - Returns: nil for a function that the compiler has put between two functions.
  package static func short(_ name: String) -> String? {
    var name = withoutDiscriminators(name)
    while let rest = specialized(name) { name = rest }
    if glue.contains(where: name.hasPrefix) { return nil }
    let parts = split(name, " in ")
    guard let last = parts.last else { return nil }
    let base = signature(last)
    guard parts.count > 1, let first = parts.first else { return base }
    let isClosure = first.hasPrefix("closure #") || first.hasPrefix("implicit closure #")
    return (isClosure ? "closure" : first.prefix { !" (<".contains($0) }) + " in " + base
  }

  private static let glue = [
    "partial apply", "reabstraction thunk", "protocol witness for", "dispatch thunk", "outlined ", "thunk for",
    "@objc ", "vtable thunk", "curry thunk", "autoclosure",
  ]

  /// Returns the name after `merged`, or after `generic specialization <...> of`; nil if the name has neither.
  private static func specialized(_ name: String) -> String? {
    if name.hasPrefix("merged ") { return String(name.dropFirst(7)) }
    guard let head = name.range(of: "specialization <"), !name[..<head.lowerBound].contains("("),
      !name[..<head.lowerBound].contains(".")
    else { return nil }
    var depth = 0
    for place in name.indices[head.lowerBound...] {
      if name[place] == "<" { depth += 1 }
      if name[place] == ">", place > name.startIndex, name[name.index(before: place)] != "-" {
        depth -= 1
        guard depth == 0 else { continue }
        let rest = name[name.index(after: place)...]
        return rest.hasPrefix(" of ") ? String(rest.dropFirst(4)) : nil
      }
    }
    return nil
  }

  /// Replaces the name of a file-private declaration, as `(name in _0123ABCD)`, by `name`, and removes the modules of
  /// extensions.
  private static func withoutDiscriminators(_ name: String) -> String {
    name.replacing(/\(([^()\s]+) in _[0-9A-F]{32}\)/) { $0.output.1 }
      .replacing(/\(extension in [^()]*\):/, with: "")
  }

  /// Returns the name without module and generic arguments, with the labels of its parameters.
  private static func signature(_ text: String) -> String {
    var text = text
    for word in ["static ", "class "] where text.hasPrefix(word) { text.removeFirst(word.count) }
    var name = ""
    var depth = 0
    var place = text.startIndex
    while place < text.endIndex {
      let character = text[place]
      if depth == 0, character == "(" || text[place...].hasPrefix(" : ") || text[place...].hasPrefix(" -> ") { break }
      if character == "<", !isOperator(name) { depth += 1 }
      if depth == 0 { name.append(character) }
      if character == ">", depth > 0 { depth -= 1 }
      text.formIndex(after: &place)
    }
    let parts = name.split(separator: ".")
    if parts.count > 1 { name = parts.dropFirst().joined(separator: ".") }
    guard place < text.endIndex, text[place] == "(" else { return name }
    return name + "(" + labels(text[text.index(after: place)...]) + ")"
  }

  /// Whether a `<` after this name belongs to an operator and opens no generic arguments.
  private static func isOperator(_ name: String) -> Bool {
    guard let last = name.last else { return true }
    return last == "." || "<>=!+-*/&|^%~".contains(last)
  }

  /// Returns the labels of parameters: `a:_:` for `a: Swift.Int, Swift.String) -> ()`.
  private static func labels(_ text: Substring) -> String {
    var depth = 0
    var end = text.endIndex
    for place in text.indices {
      if "([".contains(text[place]) { depth += 1 }
      if ")]".contains(text[place]) {
        if depth == 0 {
          end = place
          break
        }
        depth -= 1
      }
    }
    let parameters = split(String(text[..<end]), ", ")
    if parameters == [""] { return "" }
    return parameters.map { parameter in
      let label = parameter.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return parameter.dropFirst(label.count).hasPrefix(": ") ? "\(label):" : "_:"
    }
    .joined()
  }

  /// Splits a text at separators outside of brackets.
  private static func split(_ text: String, _ separator: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    var place = text.startIndex
    while place < text.endIndex {
      if depth == 0, text[place...].hasPrefix(separator) {
        parts.append(part)
        part = ""
        place = text.index(place, offsetBy: separator.count)
        continue
      }
      let character = text[place]
      if "([<".contains(character) { depth += 1 }
      if ")]".contains(character) || character == ">" && part.last != "-" { depth = max(depth - 1, 0) }
      part.append(character)
      text.formIndex(after: &place)
    }
    return parts + [part]
  }
}
