import Foundation
import OpenCocoaFoundation
import Synchronization

/// The common part of attributes, relationships and the other properties of an entity: the name, whether a value is
/// mandatory, whether it is stored.
///
/// Code for properties of any kind uses this class, and casts to ``NSAttributeDescription`` or
/// ``NSRelationshipDescription`` for the rest.
///
/// ```swift
/// let optional = Entry.entity().properties.filter(\.isOptional).map(\.name)
/// print(optional.sorted())  // ["date", "pages", "photo", "tags", "text"]
/// ```
///
/// Descriptions can be changed until a coordinator first uses their model; a later change, but for that of
/// ``userInfo``, stops the program (D-MOD-02).
/// `@unchecked Sendable`: only the code that builds a model may use it until it is complete. From the first use on
/// nothing in the model changes (`isFrozen`), apart from what locks protect: the model's own, and that of `userInfo`.
open class NSPropertyDescription: NSObject, NSCopying, NSSecureCoding, NSKeyValueCoding, ModelPart,
  @unchecked Sendable
{
  final var isFrozen = false
  @WeaklyReferring final var owner: NSEntityDescription?
  final var storedRenamingIdentifier: String?
  final var storedValidationPredicates: [NSPredicate] = []
  final var storedValidationWarnings: [Any] = []
  /// The model of the entities that the property refers to, if the property was decoded on its own.
  final var decodedModel: NSManagedObjectModel?

  /// Makes a property without a name, optional and persistent.
  public override init() { super.init() }

  /// Decodes a property. Its entity and the other ends of its relationships belong to a model that the property
  /// retains.
  ///
  /// Returns nil, with an error of the coder (4864), if the archive holds no property.
  public required init?(coder: NSCoder) {
    super.init()
    guard DescriptionCoder.decode(self, coder) else { return nil }
  }

  /// True: properties are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the property and everything that it refers to. A predicate with a block, which cannot be archived, stops
  /// the program.
  public func encode(with coder: NSCoder) { DescriptionCoder.encode(self, coder) }

  /// The name of the property, unique in its entity. It is the property's key, and its column is named after it. A new
  /// name makes it another property, unless ``renamingIdentifier`` is the old name.
  public final var name = "" { willSet { willModify() } }

  /// Whether an object may be saved without a value for the property. True by default. If it is false, the save of an
  /// object without a value fails with 1570.
  ///
  /// It is a rule of saves, not of types: a property of an object that is not saved yet may be nil, so generated
  /// classes have optionals (D-MOD-19). A mandatory to-many relationship without a minimum may be empty nevertheless
  /// (D-OBJ-13). A new mandatory attribute needs a default value for the existing rows; otherwise the migration cannot
  /// be inferred (134190).
  ///
  /// ```swift
  /// let tag = Tag(context: context)
  /// tag.setValue(nil, forKey: "name")
  /// do { try context.save() } catch { print((error as NSError).code) }  // 1570
  /// ```
  public final var isOptional = true { willSet { willModify() } }

  /// Whether the property is kept out of the store. False by default. A transient attribute has undo and validation,
  /// but SQL cannot use it in predicates and sort descriptors.
  public final var isTransient = false { willSet { willModify() } }

  /// Whether the store should keep an index of the property. Apple recommends `NSEntityDescription.indexes` instead.
  public final var isIndexed = false { willSet { willModify() } }

  /// Whether the property was meant for the index of Spotlight. The model keeps this setting, but OpenCoreData makes no
  /// such index.
  public final var isIndexedBySpotlight = false { willSet { willModify() } }

  /// Information for the application's own use. Stores and version hashes ignore it; only the key
  /// `OCDSecretAttributeKey` has a meaning for OpenCoreData (D-EXT-10); for statements in the log, what it says when the
  /// model is first used holds.
  ///
  /// It is the one part of a property that may be changed while the model is in use, on every thread: the predicate of a
  /// fetched property, which reads it as `$FETCHED_PROPERTY.userInfo`, follows.
  public final var userInfo: [AnyHashable: Any]? {
    get { storedUserInfo.withLock { $0 }.values }
    set {
      let new = UserInfo(values: newValue)
      // The former values are let go of after the lock: their code may read the property.
      let former = storedUserInfo.withLock { stored in
        defer { stored = new }
        return stored
      }
      withExtendedLifetime(former) {}
    }
  }

  /// The lock of `storedUserInfo` guards the dictionary; that threads can share its values is up to the application.
  private struct UserInfo: @unchecked Sendable {
    let values: [AnyHashable: Any]?
  }

  private final let storedUserInfo = Mutex(UserInfo(values: [:]))

  /// The properties that predicates can read by name, as `$FETCHED_PROPERTY.userInfo`. Stored properties need not be listed.
  open class var keyValueProperties: [OCDKeyValueProperty] {
    [OCDKeyValueProperty("userInfo", \NSPropertyDescription.userInfo)]
  }

  /// Text that enters the version hash. It makes stores migrate after a change that does not alter the hash otherwise,
  /// such as a change of what values mean.
  public final var versionHashModifier: String? { willSet { willModify() } }

  /// The name by which migration finds the property in another version of the model; by default its name. To rename a
  /// property, set the old name here in the new version: the values then move to the new name.
  public final var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set {
      willModify()
      storedRenamingIdentifier = newValue
    }
  }

  /// The entity that declares the property. If the property has no entity, reading this stops the program.
  public final var entity: NSEntityDescription {
    guard let owner else {
      raise(.internalInconsistency, "The property '\(name)' has no entity, or its model is gone.")
    }
    return owner
  }

  /// The conditions that a value must meet to be saved; each is evaluated on the value itself.
  public final var validationPredicates: [NSPredicate] {
    storedValidationPredicates + declaredLimits.map(\.predicate)
  }

  /// For each validation predicate, the text that a failure is reported with, or the number of the failure's error
  /// code.
  public final var validationWarnings: [Any] {
    storedValidationWarnings + declaredLimits.map { NSNumber(value: $0.violation.rawValue) }
  }

  /// Sets the conditions that a value must meet to be saved, with the text to report for each. They replace the
  /// limits that a model file states.
  public final func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    willModify()
    let predicates = validationPredicates ?? []
    let warnings = validationWarnings ?? []
    guard predicates.count == warnings.count else {
      raise(.invalidArgument, "Validation predicates and warnings of '\(name)' differ in number.")
    }
    storedValidationPredicates = predicates
    storedValidationWarnings = warnings
    (self as? NSAttributeDescription)?.limits = AttributeLimits()
  }

  private final var declaredLimits: [AttributeLimits.Limit] {
    guard let attribute = self as? NSAttributeDescription else { return [] }
    return attribute.limits.list(for: attribute.attributeType)
  }

  // MARK: Copying and equality

  /// Returns a copy of the property, of the same class, that belongs to no entity and can be changed.
  public final func copy(with zone: NSZone? = nil) -> Any { detachedCopy() }

  /// Makes the copy. Subclasses return an instance of their own class.
  func detachedCopy() -> NSPropertyDescription {
    let copy = NSPropertyDescription()
    copyFields(to: copy)
    return copy
  }

  /// Copies the values of this property to a copy. Subclasses add their own values.
  func copyFields(to copy: NSPropertyDescription) {
    copy.name = name
    copy.isOptional = isOptional
    copy.isTransient = isTransient
    copy.isIndexed = isIndexed
    copy.isIndexedBySpotlight = isIndexedBySpotlight
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.storedRenamingIdentifier = storedRenamingIdentifier
    copy.storedValidationPredicates = storedValidationPredicates
    copy.storedValidationWarnings = storedValidationWarnings
  }

  /// Compares contents. Entities are compared by name, because models have cycles.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return self === other || (Swift.type(of: self) == Swift.type(of: other) && hasEqualFields(other))
  }

  /// The hash of the name.
  open override var hash: Int { name.hashValue }

  /// Whether another property of the same class has equal contents. Subclasses compare their own values, too.
  func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
      && isIndexed == other.isIndexed && isIndexedBySpotlight == other.isIndexedBySpotlight
      && versionHashModifier == other.versionHashModifier
      && renamingIdentifier == other.renamingIdentifier && owner?.name == other.owner?.name
      && equalValues(userInfo, other.userInfo)
      && storedValidationPredicates == other.storedValidationPredicates
      && equalValues(storedValidationWarnings, other.storedValidationWarnings)
  }

  /// The class, the names of the property and of its entity, and the most important settings.
  open override var description: String {
    "(<\(Swift.type(of: self))>, name \(name), isOptional \(isOptional), isTransient \(isTransient), "
      + "entity \(owner?.name ?? "(none)"), renamingIdentifier \(renamingIdentifier ?? name))"
  }
}

/// Whether two values of a description (user info, default values) are equal as Foundation's objects are.
func equalValues(_ first: Any?, _ second: Any?) -> Bool {
  switch (first, second) {
  case (nil, nil): true
  case (let first?, let second?): (first as? NSObject)?.isEqual(second as? NSObject) ?? false
  default: false
  }
}
