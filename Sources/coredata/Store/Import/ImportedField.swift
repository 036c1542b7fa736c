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

/// An object of a document that is imported.
struct ImportedRecord {
  let entity: String
  /// The identifier by which other objects refer to this one; nil if there is none.
  let id: String?
  let attributes: [ImportedMember]
  let relationships: [ImportedMember]
  /// The place in the document, for error messages.
  let place: String
}
