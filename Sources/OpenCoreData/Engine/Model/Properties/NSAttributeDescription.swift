import Foundation

/// A property whose value is a number, a string, a date or the like.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  final var storedValueClassName: String?
  final var storedDefaultValue: Any?

  /// The limits that values must keep to, beside the validation predicates.
  final var limits = AttributeLimits() { willSet { willModify() } }

  /// Whether source code generated for the attribute has a scalar type. It is not part of a compiled model.
  package final var usesScalarValueType = false { willSet { willModify() } }

  /// The type of the attribute's values.
  public final var attributeType: NSAttributeType = .undefinedAttributeType { willSet { willModify() } }

  /// The name of the class of the attribute's values; by default it follows from the type.
  public final var attributeValueClassName: String? {
    get { storedValueClassName ?? attributeType.valueClassName }
    set {
      willModify()
      storedValueClassName = newValue
    }
  }

  /// The value that a new object begins with. Numbers and truth values come back as `NSNumber`.
  public final var defaultValue: Any? {
    get { storedDefaultValue }
    set {
      willModify()
      storedDefaultValue = newValue.map(Self.normalized)
    }
  }

  /// Whether a store may keep large values in files of their own. For binary attributes.
  public final var allowsExternalBinaryDataStorage = false { willSet { willModify() } }

  /// Whether history keeps the attribute's last value when its object is deleted.
  public final var preservesValueInHistoryOnDeletion = false { willSet { willModify() } }

  /// Whether the value is encrypted where a service mirrors the store. Nothing here mirrors stores: the model keeps it.
  public final var allowsCloudEncryption = false { willSet { willModify() } }

  /// The name of the value transformer that turns values into bytes. For transformable attributes.
  public final var valueTransformerName: String? { willSet { willModify() } }

  /// Numbers of every Swift type become `NSNumber`, so that clients find one type whatever the model was made with.
  private static func normalized(_ value: Any) -> Any {
    if value is NSNumber { return (value as? NSNumber) ?? value }
    if let decimal = value as? Decimal { return NSDecimalNumber(decimal: decimal) }
    if let number = value as? NSNumber { return number }
    return value
  }

  override func detachedCopy() -> NSPropertyDescription {
    let copy = NSAttributeDescription()
    copyFields(to: copy)
    return copy
  }

  override func copyFields(to copy: NSPropertyDescription) {
    super.copyFields(to: copy)
    guard let copy = copy as? NSAttributeDescription else { return }
    copy.attributeType = attributeType
    copy.storedValueClassName = storedValueClassName
    copy.storedDefaultValue = storedDefaultValue
    copy.limits = limits
    copy.usesScalarValueType = usesScalarValueType
    copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    copy.allowsCloudEncryption = allowsCloudEncryption
    copy.valueTransformerName = valueTransformerName
  }

  override func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    guard super.hasEqualFields(other), let other = other as? NSAttributeDescription else { return false }
    return attributeType == other.attributeType && attributeValueClassName == other.attributeValueClassName
      && limits == other.limits && equalValues(defaultValue, other.defaultValue)
      && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
      && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
      && allowsCloudEncryption == other.allowsCloudEncryption && valueTransformerName == other.valueTransformerName
  }
}
