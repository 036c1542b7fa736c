import CommandSupport

/// A template of a recording's page, in the part of the language Mustache that the page needs.
///
/// `{{name}}` is the value of that name, escaped for HTML, and `{{{name}}}` as it is. What stands between `{{#name}}` and `{{/name}}`
/// is written for each element of an array, once for any other value but false, and between `{{^name}}` and `{{/name}}`
/// where there is no such value. `{{.}}` is the innermost value itself, `{{> name}}` another template. A line that has nothing but
/// a tag of a section or a template is left out. Names are looked for in the innermost value first, then in those around it.
///
/// A package with all of Mustache would be fetched by every client, whichever product that client uses.
struct PageTemplate {
  private indirect enum Part {
    case text(Substring)
    case value(String, isEscaped: Bool)
    case section(String, isInverted: Bool, [Part])
    case template(String)
  }

  private let parts: [Part]

  /// Reads a template.
  /// - Throws: a `ToolError` with the line of a section that is not closed, or is closed and was not begun.
  init(_ text: String) throws {
    // The sections that are open, each with its tag and the parts before it.
    var open: [(tag: Tag, before: [Part])] = []
    var parts: [Part] = []
    var rest = text[...]
    while let tag = Tag(first: rest, in: text) {
      parts.append(.text(rest[..<tag.place.lowerBound]))
      rest = rest[tag.place.upperBound...]
      switch tag.kind {
      case "": parts.append(.value(tag.name, isEscaped: true))
      case "{": parts.append(.value(tag.name, isEscaped: false))
      case ">": parts.append(.template(tag.name))
      case "/":
        guard let section = open.popLast(), section.tag.name == tag.name else {
          throw tag.error(in: text, "closes “\(tag.name)”, which is not the section that is open")
        }
        parts = section.before + [.section(tag.name, isInverted: section.tag.kind == "^", parts)]
      default:
        open.append((tag, parts))
        parts = []
      }
    }
    if let section = open.last {
      throw section.tag.error(in: text, "begins the section “\(section.tag.name)”, which is not closed")
    }
    self.parts = parts + [.text(rest)]
  }

  /// Returns the text that one of several templates gives for a value.
  /// - Throws: a `ToolError` if a template that one of them names is missing.
  static func text(_ name: String, _ value: [String: Any], from templates: [String: PageTemplate]) throws -> String {
    var text = ""
    try write(.template(name), [value], from: templates, to: &text)
    return text
  }

  private static func write(
    _ part: Part, _ values: [Any], from templates: [String: PageTemplate], to text: inout String
  ) throws {
    switch part {
    case .text(let piece): text += piece
    case .value(let name, let isEscaped):
      guard let value = value(of: name, in: values) else { return }
      text += isEscaped ? escaped("\(value)") : "\(value)"
    case .section(let name, let isInverted, let parts):
      let elements = elements(value(of: name, in: values))
      for element in isInverted ? (elements.isEmpty ? [true] : []) : elements {
        for part in parts { try write(part, values + [element], from: templates, to: &text) }
      }
    case .template(let name):
      guard let template = templates[name] else { throw ToolError("There is no template “\(name)”.") }
      for part in template.parts { try write(part, values, from: templates, to: &text) }
    }
  }

  private static func value(of name: String, in values: [Any]) -> Any? {
    guard name != "." else { return values.last }
    for case let value as [String: Any] in values.reversed() {
      if let found = value[name] { return found }
    }
    return nil
  }

  /// The values for which a section is written.
  private static func elements(_ value: Any?) -> [Any] {
    switch value {
    case nil, false as Bool: []
    case let array as [Any]: array
    case .some(let value): [value]
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}

extension PageTemplate {
  /// A tag of a template: what stands behind its braces, the name, and what it takes of the text.
  private struct Tag {
    let kind: Substring
    let name: String
    let place: Range<Substring.Index>

    /// Finds the first tag in the rest of a text.
    init?(first rest: Substring, in text: String) {
      guard let match = rest.firstMatch(of: /{{([{#^\/>]?)\s*([^{}\s]+)\s*}?}}/) else { return nil }
      (kind, name) = (match.1, String(match.2))
      var place = match.range
      if kind != "", kind != "{" {
        let before = text[..<place.lowerBound].lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex
        let end = text[place.upperBound...].firstIndex(of: "\n") ?? text.endIndex
        if before >= rest.startIndex, text[before..<place.lowerBound].allSatisfy(\.isWhitespace),
          text[place.upperBound..<end].allSatisfy(\.isWhitespace)
        {
          place = before..<(end < text.endIndex ? text.index(after: end) : end)
        }
      }
      self.place = place
    }

    func error(in text: String, _ words: String) -> ToolError {
      let line = text[..<place.lowerBound].count(where: \.isNewline) + 1
      return ToolError("Line \(line) of the template \(words).")
    }
  }
}
