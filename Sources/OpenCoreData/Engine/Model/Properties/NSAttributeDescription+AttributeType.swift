extension NSAttributeDescription {
  /// The type of an attribute, in the form of newer SDKs.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The enumeration that the type wraps.
    public typealias RawValue = NSAttributeType

    /// The same type as an enumeration.
    public var rawValue: NSAttributeType

    /// Wraps a type of the enumeration.
    public init(rawValue: NSAttributeType) { self.rawValue = rawValue }

    /// No type: valid for transient attributes only.
    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    /// A signed integer of 16 bits.
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    /// A signed integer of 32 bits.
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    /// A signed integer of 64 bits.
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    /// A decimal number.
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    /// A floating-point number of 64 bits.
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    /// A floating-point number of 32 bits.
    public static let float = AttributeType(rawValue: .floatAttributeType)
    /// A string.
    public static let string = AttributeType(rawValue: .stringAttributeType)
    /// A truth value.
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    /// A date.
    public static let date = AttributeType(rawValue: .dateAttributeType)
    /// Bytes.
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    /// A UUID.
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    /// A URL.
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    /// Any value that a value transformer turns into bytes.
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    /// The identifier of a managed object.
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    /// A group of attributes.
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }

  /// The type of the attribute's values, in the form of newer SDKs; the same as `attributeType`.
  public final var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }
}
