import Foundation

/// How a property's value is kept in snapshots and changed values.
package enum ValueKind: UInt8 {
  case int16, int32, int64, bool, double, float, decimal, string, date, data, uuid, uri
  /// An object that a value transformer makes of the row's bytes.
  case transformable
  /// Any object. No row has it: the attribute is transient or has no type.
  case anything
  case toOne, toMany
  /// A composite attribute. Its elements have slots with values of their own; the attribute itself has no value.
  case composite

  package init(_ type: NSAttributeType, isTransient: Bool) {
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
      case .transformableAttributeType: isTransient ? .anything : .transformable
      // The class of its description makes an attribute composite; a plain attribute with the composite type has no elements.
      case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: .anything
      }
  }

  /// Whether the slot's 64 bits are an integer.
  package var isInteger: Bool { rawValue <= ValueKind.bool.rawValue }
  /// Whether a value is written unchanged: it is not a relationship, and not data that may be in files of their own.
  package var isPlain: Bool { rawValue <= ValueKind.uri.rawValue && self != .data }
  package var isRelationship: Bool { self == .toOne || self == .toMany }
  /// Whether an object keeps a state for the property beside its values: a relationship's members, or a decoded object.
  package var hasState: Bool { isRelationship || self == .transformable }
}

/// Where one property of an entity lives in its objects.
@_spi(Store) public struct PropertySlot {
  /// The property's name; for an element of a composite attribute the names that lead to it, joined by dots.
  public let name: String
  package let key: _PropertyKey
  package let kind: ValueKind
  /// The index of an attribute or to-one in the snapshot and the changed values; of a to-many among the to-manys.
  package let index: Int
  /// For a to-one to an entity with subentities: the slot with the member's Z_ENT; else -1.
  package let entityIndex: Int
  /// Whether rows leave the property out: because it is transient, or because it has no type that a column could have.
  public let isTransient: Bool
  package let isOptional: Bool
  /// Whether the property is an element of a composite attribute: dictionaries of values do not list elements by themselves.
  package let isElement: Bool
  /// Whether the model alone may find a value invalid when it is saved.
  package let hasRules: Bool
  package unowned(unsafe) let property: NSPropertyDescription
  /// The relationship's destination and the other end's key; nil for attributes.
  public unowned(unsafe) let destination: NSEntityDescription?
  package let inverse: _PropertyKey?
  package let inverseIsToMany: Bool
  /// Whether other relationships than the other end follow this one, or whether it follows others: see `RelationshipEnds`.
  package let hasFurtherEnds: Bool
  /// Whether the property is a to-many relationship whose members have an order.
  public let isOrdered: Bool
  /// The number of the entity that declares the property.
  package let declaringNumber: Int32
  /// The index of the property's state among the states of an object: relationships and transformable attributes have one.
  package let relationIndex: Int

  // The casts hold by construction: `kind` says which class the description has.
  package var attribute: NSAttributeDescription { unsafeDowncast(property, to: NSAttributeDescription.self) }
  /// Whether large values of the attribute are in files of their own.
  package var allowsExternalFile: Bool {
    (kind == .data || kind == .transformable) && !isTransient && attribute.allowsExternalBinaryDataStorage
  }
  package var relationship: NSRelationshipDescription { unsafeDowncast(property, to: NSRelationshipDescription.self) }

  /// The keys of the other end's to-many relationships that this relationship is in: those that are stored in a to-one
  /// relationship's column, or the many-to-many relationship at the other end.
  package var lists: [_PropertyKey] {
    if kind == .toOne, hasFurtherEnds, let ends = relationship.ends { return ends.lists.map { _PropertyKey($0.name) } }
    guard let inverse, inverseIsToMany else { return [] }
    return [inverse]
  }
}

/// The part of a slot that typed accessors need, small enough to be read at once.
package struct SlotAddress {
  package let kind: ValueKind
  package let ordinal: Int16
  package let index: Int32

  package static let none = SlotAddress(kind: .anything, ordinal: -1, index: 0)
}
