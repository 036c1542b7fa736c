/// The kind of an expression's values, which decides what they can be compared with, and how.
package enum SQLKind: Sendable, Equatable {
  case number
  /// A decimal number, which SQLite may store as an integer.
  case decimal
  case date
  case string
  case uri
  case uuid
  /// Bytes. If large values may be in files, `isPrefixed` is true: a byte before each value tells where the value is.
  case binary(isPrefixed: Bool)
  /// Bytes of a value transformer; `isPrefixed` has the same meaning as for binary values.
  case transformable(isPrefixed: Bool)
  /// A dictionary; SQL can only tell whether there is one.
  case composite
  /// The key of a row of the hierarchy whose root has the given number.
  case key(root: Int)
  /// The number of an entity.
  case entity

  package init?(_ attribute: NSAttributeDescription) {
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
      .doubleAttributeType, .floatAttributeType:
      self = .number
    case .decimalAttributeType: self = .decimal
    case .dateAttributeType: self = .date
    case .stringAttributeType: self = .string
    case .URIAttributeType: self = .uri
    case .UUIDAttributeType: self = .uuid
    case .binaryDataAttributeType: self = .binary(isPrefixed: attribute.allowsExternalBinaryDataStorage)
    case .transformableAttributeType: self = .transformable(isPrefixed: attribute.allowsExternalBinaryDataStorage)
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
    }
  }

  /// Whether values are compared as numbers; dates are compared as seconds.
  package var isNumeric: Bool { self == .number || self == .decimal || self == .date }

  /// Whether one value may be less than another. Objects and entities, for example, have no order.
  package var isOrdered: Bool {
    switch self {
    case .key, .entity, .transformable, .composite: false
    default: true
    }
  }

  /// Whether values are keys; in a fetch of dictionaries, the number of the entity follows each key.
  package var isKey: Bool {
    if case .key = self { true } else { false }
  }

  /// Whether values are compared as text.
  package var isText: Bool { self == .string || self == .uri }
}
