extension NSAttributeDescription {
  /// The type of an attribute in the form of newer SDKs: a wrapper of ``NSAttributeType``, whose cases describe each
  /// type.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The enumeration that the type wraps.
    public typealias RawValue = NSAttributeType

    /// The same type as an enumeration.
    public var rawValue: NSAttributeType

    /// Wraps a type of the enumeration.
    public init(rawValue: NSAttributeType) { self.rawValue = rawValue }

    /// No type: valid for transient attributes only; see ``NSAttributeType/undefinedAttributeType``.
    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    /// A signed integer of 16 bits, `Int16`; see ``NSAttributeType/integer16AttributeType``.
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    /// A signed integer of 32 bits, `Int32`; see ``NSAttributeType/integer32AttributeType``.
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    /// A signed integer of 64 bits, `Int64`; see ``NSAttributeType/integer64AttributeType``.
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    /// A decimal number, `NSDecimalNumber`, not exact in every store; see ``NSAttributeType/decimalAttributeType``.
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    /// A floating-point number of 64 bits, `Double`; see ``NSAttributeType/doubleAttributeType``.
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    /// A floating-point number of 32 bits, `Float`; see ``NSAttributeType/floatAttributeType``.
    public static let float = AttributeType(rawValue: .floatAttributeType)
    /// A string; see ``NSAttributeType/stringAttributeType``.
    public static let string = AttributeType(rawValue: .stringAttributeType)
    /// A truth value, `Bool`; see ``NSAttributeType/booleanAttributeType``.
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    /// A moment, `Date`; see ``NSAttributeType/dateAttributeType``.
    public static let date = AttributeType(rawValue: .dateAttributeType)
    /// Bytes, `Data`, maybe in a file of their own; see ``NSAttributeType/binaryDataAttributeType``.
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    /// A `UUID`; see ``NSAttributeType/UUIDAttributeType``.
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    /// A `URL`; see ``NSAttributeType/URIAttributeType``.
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    /// Any value that a value transformer turns into bytes; see ``NSAttributeType/transformableAttributeType``.
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    /// The identifier of a managed object, in fetch results; see ``NSAttributeType/objectIDAttributeType``.
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    /// A group of attributes; see ``NSAttributeType/compositeAttributeType``.
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }

  /// The type of the attribute's values, in the form of newer SDKs; the same as `attributeType`.
  public final var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }
}
