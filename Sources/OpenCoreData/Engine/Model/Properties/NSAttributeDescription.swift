import Foundation

/// A property whose value is a number, a string, a date or the like, stored in one column of the entity's table.
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
/// The limits that the modeller offers are set here as predicates:
/// ``NSPropertyDescription/setValidationPredicates(_:withValidationWarnings:)``. The attributes of a model that is in
/// use cannot be changed (D-MOD-02).
///
/// See also ``NSAttributeType``, ``NSDerivedAttributeDescription``, ``NSCompositeAttributeDescription``.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  final var storedValueClassName: String?
  final var storedDefaultValue: Any?

  /// The limits that values must keep to, in addition to the validation predicates.
  final var limits = AttributeLimits() { willSet { willModify() } }

  /// Whether source code generated for the attribute has a scalar type. It is not part of a compiled model.
  package final var usesScalarValueType = false { willSet { willModify() } }

  /// The type of the attribute's values. It determines the column and enters the version hash. An inferred migration
  /// converts between types of numbers and Booleans; between other types only a mapping model converts.
  ///
  /// ```swift
  /// let words = Entry.entity().attributesByName["words"]
  /// print(words?.attributeType == .integer32AttributeType)  // true
  /// ```
  ///
  /// `undefinedAttributeType` at first, which is for transient attributes only: a persistent attribute of this type
  /// must be nil when it is saved, else the save fails with 1550 (D-STO-09).
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
  /// The value also fills the column of existing rows when a migration adds the attribute (D-MIG-09). It is one value
  /// for all objects: set a value that depends on the moment in `awakeFromInsert()`.
  ///
  /// ```swift
  /// let attribute = Entry.entity().attributesByName["rating"]
  /// print(attribute?.defaultValue as? Int ?? -1, Entry(context: context).rating)  // 0 0
  /// ```
  ///
  /// A default value that does not fit the attribute's type stops the program when the model is first used; in a model
  /// file it is the error 134020 (D-MOD-11). The default value does not enter the version hash.
  public final var defaultValue: Any? {
    get { storedDefaultValue }
    set {
      willModify()
      storedDefaultValue = newValue.map(Self.normalized)
    }
  }

  /// Whether a store may keep large values in files of their own, beside the store's file. For binary attributes.
  /// Values of more than 102,400 bytes are stored there (D-SQL-10). When their row is read, they are mapped and not
  /// read (D-SQL-01). A copy of the store that is made by hand must include the folder.
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

  /// Whether the value is encrypted where a service mirrors the store. OpenCoreData mirrors no stores: the model only
  /// keeps this setting.
  public final var allowsCloudEncryption = false { willSet { willModify() } }

  /// The name of the value transformer that turns values into bytes. For transformable attributes; by default the
  /// secure transformer, which takes property lists, UUIDs, URLs and the like (D-ARC-09). If the transformer is not
  /// registered, that is logged, and the default transformer is used (D-ARC-10).
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
