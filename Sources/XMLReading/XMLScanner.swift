import Foundation

/// Reads an XML document piece by piece: models, mapping models and stores.
///
/// This scanner replaces Foundation's parser, which stops the program at a processing instruction, at a declaration of
/// attributes, elements or notations, and at a name that is not UTF-8. Its time grows with the square of an element's
/// attributes, and it takes no attribute of more than 10 MB, a size that a relationship with many members may have. The
/// bytes may come from an untrusted source. So the only entities are XML's own, which cannot grow the text or fetch
/// anything, and nesting and the number of attributes are limited.
package struct XMLScanner {
  package enum Event {
    case start(String, [(name: String, value: String)])
    case end
    case text(String)
    case finished
  }

  /// The limit of nesting. Only a property list in metadata may nest deeply.
  private static let deepest = 100
  /// The limit of an element's attributes. The elements of models have about twenty.
  private static let mostAttributes = 256
  private let bytes: [UInt8]
  package private(set) var position = 0
  /// The offset at which the latest event began.
  package private(set) var place = 0
  private var open: [String] = []
  private var isEmptyTag = false
  private var hasRoot = false
  /// The name in the document type declaration.
  package private(set) var documentType: String?

  /// - Throws: an error if the data is not UTF-8.
  package init(_ data: Data) throws(XMLProblem) {
    bytes = [UInt8](data)
    if String(validating: bytes, as: UTF8.self) == nil {
      throw XMLProblem(kind: .encoding, reason: "It is not text in UTF-8.", place: Self.firstInvalid(bytes))
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private static func firstInvalid(_ bytes: [UInt8]) -> Int {
    var start = 0
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      if String(validating: line, as: UTF8.self) == nil { break }
      start = line.endIndex + 1
    }
    return min(start, bytes.count)
  }

  /// Returns the bytes of a part of the document.
  package func slice(_ range: Range<Int>) -> Data { Data(bytes[range]) }

  /// Returns the next event; comments and processing instructions are skipped.
  /// - Throws: an error if the document is not well-formed, or is nested too deeply.
  package mutating func next() throws(XMLProblem) -> Event {
    if isEmptyTag {
      isEmptyTag = false
      open.removeLast()
      return .end
    }
    while true {
      place = position
      guard position < bytes.count else {
        if let name = open.last { throw problem("It ends inside of <\(name)>.") }
        if !hasRoot { throw problem("There is no element.") }
        return .finished
      }
      if bytes[position] != UInt8(ascii: "<") {
        let text = try text(until: UInt8(ascii: "<"), inAttribute: false)
        if !open.isEmpty { return .text(text) }
        if text.utf8.contains(where: { !Self.isSpace($0) }) { throw problem("There is text outside of the document.") }
        continue
      }
      if starts(with: "<?") {
        try instruction()
      } else if starts(with: "<!--") {
        try skip(past: "-->")
      } else if starts(with: "<![CDATA["), !open.isEmpty {
        let start = position + 9
        try skip(past: "]]>")
        return .text(String(decoding: bytes[start..<(position - 3)], as: UTF8.self))
      } else if starts(with: "<!DOCTYPE"), !hasRoot, documentType == nil {
        try declaration()
      } else if starts(with: "</") {
        position += 2
        let name = try name()
        skipSpaces()
        let isWhole = take(">")
        guard name == open.popLast(), isWhole else {
          throw problem("</\(name)> ends what it does not begin.", position)
        }
        return .end
      } else {
        return try startTag()
      }
    }
  }

  // MARK: Markup

  private mutating func startTag() throws(XMLProblem) -> Event {
    position += 1
    let name = try name()
    if open.isEmpty, hasRoot { throw problem("There is a second document: <\(name)>.") }
    guard open.count < Self.deepest else { throw problem("Elements are nested too deeply.") }
    hasRoot = true
    open.append(name)
    var attributes: [(name: String, value: String)] = []
    while true {
      let hasSpace = skipSpaces()
      if take(">") { return .start(name, attributes) }
      if take("/>") {
        isEmptyTag = true
        return .start(name, attributes)
      }
      guard hasSpace, position < bytes.count else { throw problem("The tag <\(name)> is not well-formed.") }
      guard attributes.count < Self.mostAttributes else { throw problem("<\(name)> has too many attributes.") }
      let attribute = try self.name()
      skipSpaces()
      guard take("="), !attributes.contains(where: { $0.name == attribute }) else {
        throw problem("The attribute \(attribute) of <\(name)> is not well-formed.")
      }
      skipSpaces()
      let quote = position < bytes.count ? bytes[position] : 0
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw problem("The attribute \(attribute) of <\(name)> has no quotes.")
      }
      position += 1
      attributes.append((attribute, try text(until: quote, inAttribute: true)))
      position += 1
    }
  }

  /// Skips a processing instruction, or checks the encoding in an XML declaration: bytes of another encoding would be
  /// read as UTF-8.
  private mutating func instruction() throws(XMLProblem) {
    let isDeclaration = starts(with: "<?xml ") && !hasRoot
    let start = position
    try skip(past: "?>")
    guard isDeclaration else { return }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let encoding = text.range(of: "encoding\\s*=\\s*[\"'][^\"']*", options: .regularExpression) else { return }
    let name = text[encoding].split(whereSeparator: { $0 == "\"" || $0 == "'" }).last?.lowercased() ?? ""
    if !["utf-8", "utf8", "us-ascii"].contains(name) { throw problem("Its encoding is \(name), not UTF-8.") }
  }

  private mutating func declaration() throws(XMLProblem) {
    position += 9
    skipSpaces()
    documentType = try name()
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      let byte = bytes[position]
      if byte == UInt8(ascii: "[") { throw problem("Its document type has declarations of its own.") }
      position += 1
      guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { continue }
      while position < bytes.count, bytes[position] != byte { position += 1 }
      position += 1
    }
    guard take(">") else { throw problem("Its document type is not well-formed.") }
  }

  private mutating func name() throws(XMLProblem) -> String {
    let start = position
    while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
    guard position > start else { throw problem("A name is missing.") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...58, 65...90, 97...122, 45, 46, 95, 0x80...: true
    default: false
    }
  }

  // MARK: Text

  /// Reads character data up to a byte, which is not consumed.
  private mutating func text(until end: UInt8, inAttribute: Bool) throws(XMLProblem) -> String {
    let start = position
    var isPlain = true
    while position < bytes.count, bytes[position] != end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "&") || byte < 32 {
        if byte < 32, !Self.isSpace(byte) { throw problem("There is a character that XML does not allow.", position) }
        if byte != 10 || inAttribute { isPlain = false }
      } else if byte == UInt8(ascii: "<") {
        throw problem("There is a < in an attribute's value.", position)
      }
      position += 1
    }
    if position >= bytes.count, inAttribute { throw problem("It ends inside of an attribute's value.") }
    if isPlain { return String(decoding: bytes[start..<position], as: UTF8.self) }
    return try decoded(start..<position, inAttribute: inAttribute)
  }

  private func decoded(_ range: Range<Int>, inAttribute: Bool) throws(XMLProblem) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "&") {
        guard let end = bytes[index..<min(index + 12, range.upperBound)].firstIndex(of: UInt8(ascii: ";")),
          let character = Self.character(String(decoding: bytes[index..<end], as: UTF8.self))
        else { throw problem("There is an & that begins no character.", index - 1) }
        result.append(contentsOf: character.utf8)
        index = end + 1
      } else if byte == 13 {
        // XML treats the two characters of a line's end as one.
        if index < range.upperBound, bytes[index] == 10 { index += 1 }
        result.append(inAttribute ? 32 : 10)
      } else {
        result.append(inAttribute && byte < 32 ? 32 : byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      guard let number, number >= 32 || number == 9 || number == 10 || number == 13 else { return nil }
      return Unicode.Scalar(number)
    }
  }

  // MARK: Bytes

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 10 || byte == 9 || byte == 13 }

  @discardableResult
  private mutating func skipSpaces() -> Bool {
    let start = position
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    return position > start
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard count <= bytes.count - position else { return false }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
    return true
  }

  private mutating func take(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  private mutating func skip(past text: StaticString) throws(XMLProblem) {
    while position < bytes.count {
      if take(text) { return }
      position += 1
    }
    throw problem("It ends before \(text).")
  }

  private func problem(_ reason: String, _ place: Int? = nil) -> XMLProblem {
    XMLProblem(kind: .form, reason: reason, place: place ?? self.place)
  }
}
