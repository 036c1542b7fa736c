import Foundation

/// A property whose value is a number, a string, a date or the like, one column of the entity's table.
///
/// ```swift
/// let rating = NSAttributeDescription()
/// rating.name = "rating"
/// rating.attributeType = .integer16AttributeType
/// rating.isOptional = false
/// rating.defaultValue = 0
/// print(rating.attributeValueClassName ?? "none")  // NSNumber
/// ```
///
/// Limits as the modeller has them are predicates here:
/// ``NSPropertyDescription/setValidationPredicates(_:withValidationWarnings:)``. In a model that is in use nothing can
/// be changed (D-MOD-02).
///
/// See also ``NSAttributeType``, ``NSDerivedAttributeDescription``, ``NSCompositeAttributeDescription``.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  final var storedValueClassName: String?
  final var storedDefaultValue: Any?

  /// The limits for values, besides the validation predicates.
  final var limits = AttributeLimits() { willSet { willModify() } }

  /// Whether source code generated for the attribute has a scalar type. It is not part of a compiled model.
  package final var usesScalarValueType = false { willSet { willModify() } }

  /// The type of the attribute's values. It decides the column and enters the version hash; between kinds of numbers
  /// and Booleans a migration that is inferred converts, between others a mapping model does.
  ///
  /// ```swift
  /// let words = Entry.entity().attributesByName["words"]
  /// print(words?.attributeType == .integer32AttributeType)  // true
  /// ```
  ///
  /// At first `undefinedAttributeType`, which transient attributes alone may have: a persistent one must be nil when it
  /// is saved, else 1550 (D-STO-09).
  public final var attributeType: NSAttributeType = .undefinedAttributeType { willSet { willModify() } }

  /// The name of the class of the attribute's values; by default it follows from the type. For transformable attributes
  /// it names the class that generated code declares; nothing else depends on it.
  public final var attributeValueClassName: String? {
    get { storedValueClassName ?? attributeType.valueClassName }
    set {
      willModify()
      storedValueClassName = newValue
    }
  }

  /// The value that a new object begins with. Numbers and truth values come back as `NSNumber`.
  ///
  /// It also fills the column of rows that are there already when a migration adds the attribute (D-MIG-09). It is one
  /// value for all objects: what depends on the moment is set in `awakeFromInsert()`.
  ///
  /// ```swift
  /// let attribute = Entry.entity().attributesByName["rating"]
  /// print(attribute?.defaultValue as? Int ?? -1, Entry(context: context).rating)  // 0 0
  /// ```
  ///
  /// A value of another type than the attribute's stops the program when the model is first used; in a model file it is
  /// 134020 (D-MOD-11). It does not enter the version hash.
  public final var defaultValue: Any? {
    get { storedDefaultValue }
    set {
      willModify()
      storedDefaultValue = newValue.map(Self.normalized)
    }
  }

  /// Whether a store may keep large values in files of their own, beside the store's file. For binary attributes.
  /// Values of more than 102,400 bytes go there (D-SQL-10), and are mapped, not read, when their row is (D-SQL-01);
  /// whoever copies the store by hand must take the folder along.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.photo = Data(count: 200_000)
  /// try context.save()
  /// let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
  /// print(files.contains(".Diary_SUPPORT"))  // true
  /// ```
  public final var allowsExternalBinaryDataStorage = false { willSet { willModify() } }

  /// Whether history keeps the attribute's last value when its object is deleted.
  public final var preservesValueInHistoryOnDeletion = false { willSet { willModify() } }

  /// Whether the value is encrypted when a service mirrors the store. This framework does not mirror stores; the model keeps
  /// the setting.
  public final var allowsCloudEncryption = false { willSet { willModify() } }

  /// The name of the value transformer that turns values into bytes. For transformable attributes; by default the
  /// secure one, which takes property lists, UUIDs, URLs and the like (D-ARC-09). A transformer that is not registered
  /// is logged, and the default used (D-ARC-10).
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
