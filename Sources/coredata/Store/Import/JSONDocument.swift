import CommandSupport
import CoreDataTools
import Foundation

/// Reads `{"Entity": [{"@id", "attributes", "relationships"}]}` object by object; the file is mapped, not loaded.
///
/// `id` in place of `@id` is read, too: exports were written so.
struct JSONDocument {
  private let file: URL
  private let data: Data
  private var position: Int
  private var line = 1

  init(_ file: URL) throws {
    self.file = file
    do {
      data = try Data(contentsOf: file, options: .mappedIfSafe)
    } catch {
      throw ToolError("The file \(file.path) cannot be read", error)
    }
    position = data.startIndex
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
        try willRead(name, "\(reader.file.lastPathComponent):\(reader.line)")
        if let entity, entity != name {
          _ = try reader.value(depth: 1)
        } else {
          try reader.list { try body($0.record(name)) }
        }
      }
    }
    try skipSpace()
    if position < data.endIndex { throw problem("expected the end of the file") }
  }

  private mutating func record(_ entity: String) throws -> ImportedRecord {
    _ = try peek()
    let place = "\(file.lastPathComponent):\(line)"
    guard case .object(let members) = try value(depth: 1) else { throw problem("expected an object") }
    var id: String?
    var parts: [String: [ImportedMember]] = [:]
    let names = [ExportedObject.referenceName, ExportedObject.formerReferenceName]
    let reference = names.first { name in members.contains { $0.name == name } }
    var seen: Set<String> = []
    for member in members {
      let (name, value) = (member.name, member.value)
      guard seen.insert(name).inserted else { throw ToolError("\(place): “\(name)” is there twice.") }
      switch (name, value) {
      case (reference, .text(let text)): id = text
      case (reference, .null): break
      case ("attributes", .object(let values)), ("relationships", .object(let values)): parts[name] = values
      default:
        throw ToolError(
          "\(place): expected “@id” with a text, “attributes” and “relationships” with objects, found “\(name)” with "
            + "\(value.text).")
      }
    }
    return ImportedRecord(
      entity: entity, id: id, attributes: parts["attributes"] ?? [], relationships: parts["relationships"] ?? [],
      place: place)
  }

  // MARK: Values

  private mutating func value(depth: Int) throws -> ImportedField {
    guard depth < 64 else { throw problem("values are nested too deep") }
    switch try peek() {
    case UInt8(ascii: "{"):
      var result: [ImportedMember] = []
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
      let start = position
      while position < data.endIndex, "+-.0123456789eE".utf8.contains(data[position]) { position += 1 }
      let text = String(decoding: data[start..<position], as: UTF8.self)
      guard Double(text) != nil else { throw problem("expected a value") }
      return .number(text)
    }
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
    let start = position
    var isPlain = true
    position += 1
    while position < data.endIndex, data[position] != UInt8(ascii: "\"") {
      if data[position] == UInt8(ascii: "\\") {
        isPlain = false
        position += 1
      }
      position += 1
    }
    guard position < data.endIndex else { throw problem("a string has no end") }
    position += 1
    let text = data[start..<position]
    if isPlain, let string = String(validating: text.dropFirst().dropLast(), as: UTF8.self) { return string }
    guard let string = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed) as? String else {
      throw problem("a string is damaged")
    }
    return string
  }

  private mutating func word(_ text: String, _ value: ImportedField) throws -> ImportedField {
    guard data[position...].starts(with: text.utf8) else { throw problem("expected a value") }
    position += text.utf8.count
    return value
  }

  // MARK: Bytes

  private mutating func skipSpace() throws {
    while position < data.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(data[position]) {
      if data[position] == 0x0A { line += 1 }
      position += 1
    }
  }

  private mutating func peek() throws -> UInt8 {
    try skipSpace()
    guard position < data.endIndex else { throw problem("the file ends too early") }
    return data[position]
  }

  private mutating func take(_ character: Character) throws -> Bool {
    guard try peek() == character.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Character) throws {
    guard try take(character) else { throw problem("expected “\(character)”") }
  }

  private func problem(_ text: String) -> ToolError { ToolError("\(file.path):\(line): \(text).") }
}
