import CommandSupport
import CoreDataTools
import Foundation

/// Reads a table in CSV row by row: the first row has the names of the columns.
///
/// An empty field without quotation marks is nil; an empty string is written as two quotation marks.
///
/// The column `@id` has the objects' references. In a table without it, the first column `id` has them: exports were
/// written so, and a second column `id` in them is a property of that name.
struct CSVDocument: ~Copyable {
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
    var bytes = try FileBytes(file)
    if try bytes.begins(with: [0xEF, 0xBB, 0xBF]) { for _ in 0..<3 { bytes.advance() } }
    self.bytes = bytes
  }

  /// Calls `body` with the rows, as objects of `entity`.
  /// - Parameter isRelationship: Returns whether a name is that of a relationship, and not of an attribute.
  mutating func records(
    of entity: String, isRelationship: (String) -> Bool, _ body: (ImportedRecord) throws -> Void
  ) throws {
    guard let header = try row() else {
      throw ToolError("\(file.path) is empty. Expected a row with the columns' names.")
    }
    let names = header.map { $0 ?? "" }
    let reference =
      names.firstIndex(of: ExportedObject.referenceName) ?? names.firstIndex(of: ExportedObject.formerReferenceName)
    let places = names.indices.filter { $0 != reference }
    let isFormer = reference.map { names[$0] } == ExportedObject.formerReferenceName
    let distinct = isFormer ? places.map { names[$0] } : names
    if let repeated = Dictionary(grouping: distinct, by: \.self).first(where: { $1.count > 1 })?.key {
      throw ToolError("\(file.path): the column “\(repeated)” is there twice.")
    }
    let attributes = needs == .all ? places.filter { !isRelationship(names[$0]) } : []
    let relationships = places.filter { isRelationship(names[$0]) }
    while true {
      let place = self.place
      guard let fields = try row() else { return }
      // An empty line is no row, unless the table has only one column.
      if fields.count == 1, fields[0] == nil, names.count > 1 { continue }
      guard fields.count == names.count else {
        throw ToolError("\(place): expected \(names.count) fields, found \(fields.count).")
      }
      func members(_ places: [Int]) -> [ImportedMember] {
        places.map { ImportedMember(name: names[$0], value: fields[$0].map(ImportedField.text) ?? .null) }
      }
      try body(
        ImportedRecord(
          entity: entity, id: reference.flatMap { fields[$0] }, attributes: members(attributes),
          relationships: members(relationships), place: place))
    }
  }

  /// Reads the fields of the next row; nil at the end.
  private mutating func row() throws -> [String?]? {
    guard try bytes.next != nil else { return nil }
    var fields: [String?] = []
    while true {
      fields.append(try field())
      guard let separator = try bytes.next else { return fields }
      bytes.advance()
      if separator == 0x0D, try bytes.next == 0x0A { bytes.advance() }
      if separator != UInt8(ascii: ",") {
        line += 1
        return fields
      }
    }
  }

  /// Reads the field that begins here, up to a comma or the end of the line.
  private mutating func field() throws -> String? {
    guard try bytes.next == UInt8(ascii: "\"") else {
      bytes.beginToken()
      while let byte = try bytes.next, !Self.endsField(byte) { bytes.advance() }
      let place = self.place
      return try bytes.endToken { $0.isEmpty ? nil : try Self.text($0, place) }
    }
    let start = line
    var isWhole = true
    bytes.advance()
    bytes.beginToken()
    while let byte = try bytes.next {
      if byte == UInt8(ascii: "\"") {
        // The token ends before the quotation mark, unless there are two of them, which stand for one.
        guard try bytes.begins(with: Self.twoMarks) else {
          let place = self.place
          let result = try bytes.endToken {
            try isWhole ? Self.text($0, place) : Self.text(Self.unquoted($0), place)
          }
          bytes.advance()
          if let next = try bytes.next, !Self.endsField(next) {
            throw ToolError("\(name):\(line): expected a comma after the quotation mark.")
          }
          return result
        }
        isWhole = false
        bytes.advance()
      }
      if byte == 0x0A { line += 1 }
      bytes.advance()
    }
    throw ToolError("\(name):\(start): a quotation mark has no end.")
  }

  private static let twoMarks = [UInt8](repeating: UInt8(ascii: "\""), count: 2)

  private static func endsField(_ byte: UInt8) -> Bool { byte == 0x2C || byte == 0x0A || byte == 0x0D }

  /// The bytes with one quotation mark in place of two.
  private static func unquoted(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = [], isSecond = false
    for byte in bytes {
      isSecond = byte == UInt8(ascii: "\"") && !isSecond
      if byte != UInt8(ascii: "\"") || isSecond { result.append(byte) }
    }
    return result
  }

  private var place: ImportedPlace { ImportedPlace(file: name, line: line) }

  private static func text(_ bytes: some Collection<UInt8>, _ place: ImportedPlace) throws -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw ToolError("\(place): the text is not UTF-8.")
  }
}
