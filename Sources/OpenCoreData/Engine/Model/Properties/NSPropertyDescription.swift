import Foundation
import OpenCocoaFoundation

/// What attributes, relationships and the other properties of an entity have in common: a name, whether a value must be
/// there, whether it is stored.
///
/// Code for properties of any kind asks it, and casts to ``NSAttributeDescription`` or ``NSRelationshipDescription``
/// for the rest.
///
/// ```swift
/// let optional = Entry.entity().properties.filter(\.isOptional).map(\.name)
/// print(optional.sorted())  // ["date", "pages", "photo", "tags", "text"]
/// ```
///
/// Descriptions can be changed until a coordinator first uses their model; a change after that stops the program
/// (D-MOD-02). `@unchecked Sendable`: whoever builds a model owns it alone; from its first use on nothing in it changes
/// (`isFrozen`), apart from what the model's own lock protects.
open class NSPropertyDescription: NSObject, NSCopying, NSSecureCoding, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  @WeaklyReferring final var owner: NSEntityDescription?
  final var storedRenamingIdentifier: String?
  final var storedValidationPredicates: [NSPredicate] = []
  final var storedValidationWarnings: [Any] = []
  /// The model that a property which was decoded by itself refers to.
  final var decodedModel: NSManagedObjectModel?

  /// Makes a property without a name, optional and persistent.
  public override init() { super.init() }

  /// Decodes a property, whose entity and other ends are those of a model that it holds.
  ///
  /// Nil, with an error of the coder (4864), for an archive that holds none.
  public required init?(coder: NSCoder) {
    super.init()
    guard DescriptionCoder.decode(self, coder) else { return nil }
  }

  /// True: properties are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the property and everything that it refers to. A predicate with a block, which cannot be archived, stops the
  /// program.
  public func encode(with coder: NSCoder) { DescriptionCoder.encode(self, coder) }

  /// The name of the property, unique in its entity: its key, and what its column is called after. Renaming it makes
  /// another property of it, unless ``renamingIdentifier`` has the old name.
  public final var name = "" { willSet { willModify() } }

  /// Whether an object may be saved without a value for the property. True by default; a save of an object without one
  /// is 1570 then.
  ///
  /// It is a rule of saves, not of types: a property of an object that is not saved yet may be nil, so generated
  /// classes have optionals (D-MOD-19). A mandatory to-many without a minimum may be empty all the same (D-OBJ-13). New
  /// mandatory attributes need a default value for rows that are there already, else the migration cannot be inferred
  /// (134190).
  ///
  /// ```swift
  /// let tag = Tag(context: context)
  /// tag.setValue(nil, forKey: "name")
  /// do { try context.save() } catch { print((error as NSError).code) }  // 1570
  /// ```
  public final var isOptional = true { willSet { willModify() } }

  /// Whether the property is kept out of the store. False by default. A transient attribute has undo and validation, but
  /// cannot be used in predicates or sort descriptors of SQL.
  public final var isTransient = false { willSet { willModify() } }

  /// Whether the store should keep an index of the property. Apple recommends `NSEntityDescription.indexes` instead.
  public final var isIndexed = false { willSet { willModify() } }

  /// Whether the property was meant for the index of Spotlight. It is kept with the model; there is no such index here.
  public final var isIndexedBySpotlight = false { willSet { willModify() } }

  /// Information for the application's own use. Stores and version hashes ignore it; only the key `OCDSecretAttributeKey` has
  /// a meaning here (D-EXT-10).
  public final var userInfo: [AnyHashable: Any]? = [:] { willSet { willModify() } }

  /// Text that enters the version hash. Change it to have a store migrated for a change that the hash would not show
  /// otherwise, such as a change of the meaning of values.
  public final var versionHashModifier: String? { willSet { willModify() } }

  /// The name by which migration finds the property in another version of the model; by default its name. Give the new
  /// version the old name here, and the values follow.
  public final var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set {
      willModify()
      storedRenamingIdentifier = newValue
    }
  }

  /// The entity that declares the property. Asking a property that has none stops the program.
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

  /// For each validation predicate the text that a failure is reported with, or the number of its error code.
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

  /// A property of the same class and contents that belongs to no entity and can be changed.
  public final func copy(with zone: NSZone? = nil) -> Any { detachedCopy() }

  /// Makes the copy; subclasses give an instance of their own class.
  func detachedCopy() -> NSPropertyDescription {
    let copy = NSPropertyDescription()
    copyFields(to: copy)
    return copy
  }

  /// Hands the values of the receiver to a copy. Subclasses add theirs.
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

  /// Compares contents; entities are compared by name, since models have cycles.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return self === other || (Swift.type(of: self) == Swift.type(of: other) && hasEqualFields(other))
  }

  /// The hash of the name.
  open override var hash: Int { name.hashValue }

  /// Whether another property of the same class has equal contents. Subclasses add theirs.
  func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
      && isIndexed == other.isIndexed && isIndexedBySpotlight == other.isIndexedBySpotlight
      && versionHashModifier == other.versionHashModifier
      && renamingIdentifier == other.renamingIdentifier && owner?.name == other.owner?.name
      && equalValues(userInfo, other.userInfo)
      && storedValidationPredicates == other.storedValidationPredicates
      && equalValues(storedValidationWarnings, other.storedValidationWarnings)
  }

  /// The class, the entity's and the property's name.
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
