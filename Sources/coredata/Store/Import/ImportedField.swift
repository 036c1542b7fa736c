/// A value of a document that is imported: a JSON value, or a field of CSV.
enum ImportedField {
  case null
  case bool(Bool)
  /// A number, with the text as written, so that no digit is lost.
  case number(String)
  case text(String)
  case list([ImportedField])
  case object([ImportedMember])

  /// The value as text for error messages.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .text(let text): text.count > 60 ? "“\(text.prefix(60))...”" : "“\(text)”"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// A value with its name.
struct ImportedMember {
  let name: String
  let value: ImportedField
}

/// A place in a document, for error messages.
struct ImportedPlace: CustomStringConvertible {
  let file: String
  let line: Int

  var description: String { "\(file):\(line)" }
}

/// What of a document is read.
enum ImportedParts {
  case all
  /// The ids and the relationships of the objects. Attributes may be left out.
  case references
}

/// An object of a document that is imported.
struct ImportedRecord {
  let entity: String
  /// The identifier by which other objects refer to this one; nil if there is none.
  var id: String?
  var attributes: [ImportedMember]
  var relationships: [ImportedMember]
  let place: ImportedPlace
}
