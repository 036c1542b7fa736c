import Foundation

/// How a property's value is kept in snapshots and changed values.
enum ValueKind: UInt8 {
  case int16, int32, int64, bool, double, float, decimal, string, date, data, uuid, uri
  /// Any object; of transient attributes only.
  case anything
  case toOne, toMany
  /// Persistent transformable and undefined attributes, composites, fetched properties: in the model, but objects cannot
  /// read or write them yet. Their columns are left as they are.
  case unsupported

  init(_ type: NSAttributeType, isTransient: Bool) {
    self =
      switch type {
      case .integer16AttributeType: .int16
      case .integer32AttributeType: .int32
      case .integer64AttributeType: .int64
      case .booleanAttributeType: .bool
      case .doubleAttributeType: .double
      case .floatAttributeType: .float
      case .decimalAttributeType: .decimal
      case .stringAttributeType: .string
      case .dateAttributeType: .date
      case .binaryDataAttributeType: .data
      case .UUIDAttributeType: .uuid
      case .URIAttributeType: .uri
      case .transformableAttributeType, .undefinedAttributeType: isTransient ? .anything : .unsupported
      case .objectIDAttributeType, .compositeAttributeType: .unsupported
      }
  }

  /// Whether the slot's 64 bits are an integer.
  var isInteger: Bool { rawValue <= ValueKind.bool.rawValue }
  var isRelationship: Bool { self == .toOne || self == .toMany }
}

/// Where one property of an entity lives in its objects.
struct PropertySlot {
  let name: String
  let key: PropertyKey
  let kind: ValueKind
  /// In the snapshot and the changed values for attributes and to-ones; in the to-many states for to-manys.
  let index: Int
  /// For a to-one to an entity with subentities: the slot with the member's Z_ENT; else -1.
  let entityIndex: Int
  let isTransient: Bool
  let isOptional: Bool
  unowned(unsafe) let property: NSPropertyDescription
  /// The relationship's destination and the other end's key; nil for attributes.
  unowned(unsafe) let destination: NSEntityDescription?
  let inverse: PropertyKey?
  let inverseIsToMany: Bool
  /// Among the entity's to-one and to-many relationships, the place of this one in an object's relationship states.
  let relationIndex: Int

  // The casts hold by construction: `kind` says which class the description has.
  var attribute: NSAttributeDescription { unsafeDowncast(property, to: NSAttributeDescription.self) }
  /// Whether large values of the attribute are in files of their own.
  var allowsExternalFile: Bool { kind == .data && !isTransient && attribute.allowsExternalBinaryDataStorage }
  var relationship: NSRelationshipDescription { unsafeDowncast(property, to: NSRelationshipDescription.self) }
}

/// What a typed accessor needs of a slot: small enough to be read in one go.
struct SlotAddress {
  let kind: ValueKind
  let ordinal: Int16
  let index: Int32

  static let none = SlotAddress(kind: .unsupported, ordinal: -1, index: 0)
}
