import CommandSupport
import CoreDataTools
import Foundation

/// Reads `{"Entity": [{"@id", "attributes", "relationships"}]}` object by object; no more than an object is in memory.
///
/// `id` in place of `@id` is read, too: exports were written so.
struct JSONDocument: ~Copyable {
  private let file: URL
  private let name: String
  private var bytes: FileBytes
  private let needs: ImportedParts
  private var line = 1

  /// - Parameter needs: What of the objects is read; the rest is passed over.
  init(_ file: URL, needs: ImportedParts = .all) throws {
    self.file = file
    self.needs = needs
    name = file.lastPathComponent
    bytes = try FileBytes(file)
  }

  /// Calls a function with the objects in the order of the document.
  /// - Parameters:
  ///   - entity: Only the list of this entity is read; nil reads all lists. A document that is a list has this entity's
  ///     objects.
  ///   - willRead: Called with the name and the place of each list before the list's objects are read.
  mutating func records(
    of entity: String?, willRead: (String, String) throws -> Void, _ body: (ImportedRecord) throws -> Void
  ) throws {
    if try peek() == UInt8(ascii: "[") {
      guard let entity else { throw problem("a list of objects needs --entity") }
      try list { try body($0.record(entity)) }
    } else {
      try members { reader, name in
        try willRead(name, "\(reader.place)")
        if let entity, entity != name {
          _ = try reader.value(depth: 1)
        } else {
          try reader.list { try body($0.record(name)) }
        }
      }
    }
    try skipSpace()
    if try bytes.next != nil { throw problem("expected the end of the file") }
  }

  private var place: ImportedPlace { ImportedPlace(file: name, line: line) }

  private mutating func record(_ entity: String) throws -> ImportedRecord {
    guard try peek() == UInt8(ascii: "{") else {
      _ = try value(depth: 1)
      throw problem("expected an object")
    }
    let place = self.place
    var record = ImportedRecord(entity: entity, id: nil, attributes: [], relationships: [], place: place)
    var seen: MemberNames = [], former: ImportedField?
    try members { reader, name in
      let known = MemberNames(name)
      guard seen.isDisjoint(with: known) else { throw ToolError("\(place): “\(name)” is there twice.") }
      seen.formUnion(known)
      if known == .attributes, reader.needs == .references, try reader.peek() == UInt8(ascii: "{") {
        return try reader.skip()
      }
      let value = try reader.value(depth: 2)
      switch (known, value) {
      case (.former, _): former = value
      case (.reference, .text(let text)): record.id = text
      case (.reference, .null): break
      case (.attributes, .object(let values)): record.attributes = values
      case (.relationships, .object(let values)): record.relationships = values
      default: throw Self.unexpected(name, value, place)
      }
    }
    if let former {
      // Beside a reference, a member of this name is unknown.
      switch former {
      case .text(let text) where !seen.contains(.reference): record.id = text
      case .null where !seen.contains(.reference): break
      default: throw Self.unexpected(ExportedObject.formerReferenceName, former, place)
      }
    }
    return record
  }

  /// The members of an object of the document.
  private struct MemberNames: OptionSet {
    let rawValue: Int
    static let reference = MemberNames(rawValue: 1), former = MemberNames(rawValue: 2)
    static let attributes = MemberNames(rawValue: 4), relationships = MemberNames(rawValue: 8)

    init(rawValue: Int) { self.rawValue = rawValue }

    /// The name as the only member; empty for another name, which is an error.
    init(_ name: String) {
      switch name {
      case ExportedObject.referenceName: self = .reference
      case "attributes": self = .attributes
      case "relationships": self = .relationships
      case ExportedObject.formerReferenceName: self = .former
      default: self = []
      }
    }
  }

  private static func unexpected(_ name: String, _ value: ImportedField, _ place: ImportedPlace) -> ToolError {
    ToolError(
      "\(place): expected “@id” with a text, “attributes” and “relationships” with objects, found “\(name)” with "
        + "\(value.text).")
  }

  // MARK: Values

  private mutating func value(depth: Int) throws -> ImportedField {
    guard depth < 64 else { throw problem("values are nested too deep") }
    switch try peek() {
    case UInt8(ascii: "{"):
      var result: [ImportedMember] = []
      result.reserveCapacity(8)
      try members { result.append(ImportedMember(name: $1, value: try $0.value(depth: depth + 1))) }
      return .object(result)
    case UInt8(ascii: "["):
      var result: [ImportedField] = []
      try list { result.append(try $0.value(depth: depth + 1)) }
      return .list(result)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default:
      var hasDigitsOnly = true
      bytes.beginToken()
      while let byte = try bytes.next, Self.isOfNumbers(byte) {
        if byte < UInt8(ascii: "0") || byte > UInt8(ascii: "9") { hasDigitsOnly = false }
        bytes.advance()
      }
      guard let text = bytes.endToken({ String($0, isASCII: true) }), !text.isEmpty,
        hasDigitsOnly || Double(text) != nil
      else { throw problem("expected a value") }
      return .number(text)
    }
  }

  private static func isOfNumbers(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// Passes over an object, whose values are not looked at.
  private mutating func skip() throws {
    var depth = 0
    repeat {
      guard let byte = try bytes.next else { throw problem("the file ends too early") }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        _ = try passString()
        continue
      case 0x0A: line += 1
      default: break
      }
      bytes.advance()
    } while depth > 0
  }

  private mutating func list(_ element: (inout JSONDocument) throws -> Void) throws {
    try expect("[")
    if try take("]") { return }
    repeat { try element(&self) } while try take(",")
    try expect("]")
  }

  private mutating func members(_ member: (inout JSONDocument, String) throws -> Void) throws {
    try expect("{")
    if try take("}") { return }
    repeat {
      guard try peek() == UInt8(ascii: "\"") else { throw problem("expected a name in quotation marks") }
      let name = try string()
      try expect(":")
      try member(&self, name)
    } while try take(",")
    try expect("}")
  }

  /// Reads the string that begins here; Foundation decodes its escapes.
  private mutating func string() throws -> String {
    bytes.beginToken()
    let (isPlain, isASCII) = try passString()
    let text = bytes.endToken { text -> String? in
      if isPlain { return String(UnsafeRawBufferPointer(rebasing: text[1..<text.count - 1]), isASCII: isASCII) }
      return try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed) as? String
    }
    guard let text else { throw problem("a string is damaged") }
    return text
  }

  /// Passes over the string that begins here.
  /// - Returns: whether it has no escapes, and whether all bytes outside of escapes are ASCII.
  private mutating func passString() throws -> (isPlain: Bool, isASCII: Bool) {
    var isPlain = true, isASCII = true
    bytes.advance()
    while true {
      if try !bytes.skip(upTo: UInt8(ascii: "\""), or: UInt8(ascii: "\\")) { isASCII = false }
      guard let byte = try bytes.next else { throw problem("a string has no end") }
      bytes.advance()
      if byte == UInt8(ascii: "\"") { return (isPlain, isASCII) }
      isPlain = false
      guard try bytes.next != nil else { throw problem("a string has no end") }
      bytes.advance()
    }
  }

  private mutating func word(_ text: StaticString, _ value: ImportedField) throws -> ImportedField {
    let wanted = text.withUTF8Buffer(Array.init)
    guard try bytes.begins(with: wanted) else { throw problem("expected a value") }
    for _ in wanted { bytes.advance() }
    return value
  }

  // MARK: Bytes

  private mutating func skipSpace() throws {
    while let byte = try bytes.next, byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D {
      if byte == 0x0A { line += 1 }
      bytes.advance()
    }
  }

  private mutating func peek() throws -> UInt8 {
    try skipSpace()
    guard let byte = try bytes.next else { throw problem("the file ends too early") }
    return byte
  }

  private mutating func take(_ character: Unicode.Scalar) throws -> Bool {
    guard try peek() == UInt8(ascii: character) else { return false }
    bytes.advance()
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws {
    guard try take(character) else { throw problem("expected “\(character)”") }
  }

  private func problem(_ text: String) -> ToolError { ToolError("\(file.path):\(line): \(text).") }
}
