import CommandSupport
import CoreDataTools
import Foundation

/// Reads a table in CSV row by row: the first row has the names of the columns.
///
/// An empty field without quotation marks is nil; an empty string is written as two quotation marks.
///
/// The column `@id` has the objects' references. In a table without it, the first column `id` has them: exports were
/// written so, and a second column `id` in them is a property of that name.
struct CSVDocument {
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
    if data.starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
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
    while true {
      let place = "\(file.lastPathComponent):\(line)"
      guard let fields = try row() else { return }
      // An empty line is no row, unless the table has only one column.
      if fields.count == 1, fields[0] == nil, names.count > 1 { continue }
      guard fields.count == names.count else {
        throw ToolError("\(place): expected \(names.count) fields, found \(fields.count).")
      }
      let values = places.map { ImportedMember(name: names[$0], value: fields[$0].map(ImportedField.text) ?? .null) }
      try body(
        ImportedRecord(
          entity: entity, id: reference.flatMap { fields[$0] },
          attributes: values.filter { !isRelationship($0.name) },
          relationships: values.filter { isRelationship($0.name) }, place: place))
    }
  }

  /// Reads the fields of the next row; nil at the end.
  private mutating func row() throws -> [String?]? {
    guard position < data.endIndex else { return nil }
    var fields: [String?] = []
    while true {
      fields.append(try field())
      guard position < data.endIndex else { return fields }
      let separator = data[position]
      position += 1
      if separator == 0x0D, position < data.endIndex, data[position] == 0x0A { position += 1 }
      if separator != UInt8(ascii: ",") {
        line += 1
        return fields
      }
    }
  }

  /// Reads the field that begins here, up to a comma or the end of the line.
  private mutating func field() throws -> String? {
    var bytes: [UInt8] = []
    guard position < data.endIndex, data[position] == UInt8(ascii: "\"") else {
      while position < data.endIndex, ![0x2C, 0x0A, 0x0D].contains(data[position]) {
        bytes.append(data[position])
        position += 1
      }
      return bytes.isEmpty ? nil : try text(bytes)
    }
    let start = line
    position += 1
    while position < data.endIndex {
      let byte = data[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < data.endIndex, data[position] == byte else {
          guard position == data.endIndex || [0x2C, 0x0A, 0x0D].contains(data[position]) else {
            throw ToolError("\(file.lastPathComponent):\(line): expected a comma after the quotation mark.")
          }
          return try text(bytes)
        }
        position += 1
      }
      if byte == 0x0A { line += 1 }
      bytes.append(byte)
    }
    throw ToolError("\(file.lastPathComponent):\(start): a quotation mark has no end.")
  }

  private func text(_ bytes: [UInt8]) throws -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw ToolError("\(file.lastPathComponent):\(line): the text is not UTF-8.")
  }
}
