import Foundation
import OpenCocoaFoundation
import Synchronization

/// A kind of managed object: its name, its class and its properties. An entity is read with a model, or built in code.
///
/// Code for objects of any kind asks the entity which properties an object has. The entity of an object is
/// ``NSManagedObject/entity-swift.property``.
///
/// ```swift
/// let entity = Entry.entity()
/// for (name, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) where !attribute.isOptional {
///   print(name)  // isPinned / rating / title / words
/// }
/// ```
///
/// Entities of one hierarchy share a table, so a deep hierarchy makes wide rows; abstract entities have no rows of
/// their own. The entities of a model that is in use cannot be changed (D-MOD-02).
///
/// `@unchecked Sendable`: only the code that builds a model may use it until it is complete. From the first use on
/// nothing in the model changes (`isFrozen`), apart from what the model's own lock protects.
///
/// See also ``NSManagedObjectModel``, ``NSAttributeDescription``, ``NSRelationshipDescription``.
open class NSEntityDescription: NSObject, NSCopying, NSSecureCoding, ModelPart, WeaklyReferenced, @unchecked Sendable {
  final var isFrozen = false
  final weak var model: NSManagedObjectModel?
  @WeaklyReferring final var parent: NSEntityDescription?
  /// The weak reference by which properties, indexes, subentities and relationships refer to the entity.
  package final let reference = WeakReference()
  final var storedClassName: String?
  final var storedRenamingIdentifier: String?

  /// The properties that the entity declares itself, without the inherited ones.
  package final private(set) var declaredProperties: [NSPropertyDescription] = []

  /// The model of the other entities that this entity refers to, if the entity was decoded on its own.
  final var decodedModel: NSManagedObjectModel?

  /// Tables derived from the declarations, computed once when the model is frozen.
  final var lookup: EntityLookup?

  /// The runtime layout, computed once when the model is frozen, by Objects/EntityLayout.swift.
  @exclusivity(unchecked) final var layoutStorage: AnyObject? {
    didSet {
      layoutAddress.store(layoutStorage.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, ordering: .releasing)
    }
  }
  /// The address of the layout, which every thread may read; 0 until the layout is complete.
  final let layoutAddress = Atomic<UInt>(0)

  /// The entity's number in a store (Z_ENT): from 1, or 0 before the model is frozen.
  final var storeNumber = 0

  /// Makes an entity without name and properties.
  public override init() {
    super.init()
    reference.begin(self)
  }

  deinit { reference.end() }

  /// Decodes an entity with its subentities. The other entities that it refers to belong to a model that it retains.
  ///
  /// Returns nil, with an error of the coder (4864), if the archive holds no entity.
  public required init?(coder: NSCoder) {
    super.init()
    reference.begin(self)
    guard DescriptionCoder.decode(self, coder) else { return nil }
  }

  /// True: entities are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the entity and everything that it refers to. A predicate with a block, which cannot be archived, stops
  /// the program.
  public func encode(with coder: NSCoder) { DescriptionCoder.encode(self, coder) }

  /// The name of the entity, unique in its model. Fetch requests state it, and the store's table is named after it.
  ///
  /// It may differ from the class's name. A new name makes it another entity, so that an inferred migration drops its
  /// rows, unless ``renamingIdentifier`` is the old name.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// print(entry.entity.name ?? "none")  // Entry
  /// ```
  ///
  /// Use letters, digits and underscores: a SQLite store refuses a model that has other characters of ASCII in a name,
  /// except the dollar sign (134020, D-MOD-20).
  public final var name: String? { willSet { willModify() } }

  /// The name of the class of the entity's objects, with its module as `NSStringFromClass` gives it, or without;
  /// `NSManagedObject` by default.
  ///
  /// If the class is not found, the objects are of NSManagedObject, and a typed fetch then stops the program with a
  /// message that says so. A model made in code gets its classes by setting this property:
  ///
  /// ```swift
  /// let entity = NSEntityDescription()
  /// entity.name = "Entry"
  /// print(entity.managedObjectClassName ?? "")  // NSManagedObject
  /// entity.managedObjectClassName = NSStringFromClass(Entry.self)
  /// print(entity.managedObjectClassName.hasSuffix("Entry"))  // true
  /// ```
  ///
  /// Differs from Apple (D-MOD-15): ".Animal" of the current module has the module's name in models that the plugin
  /// ships, and not in a source model that is read as it is. The class name does not enter the version hash.
  public final var managedObjectClassName: String! {
    get { storedClassName ?? "NSManagedObject" }
    set {
      willModify()
      storedClassName = newValue
    }
  }

  /// Whether the entity has no objects of its own, only those of its subentities. Inserting an object of an abstract
  /// entity stops the program; a fetch returns the objects of the subentities.
  public final var isAbstract = false { willSet { willModify() } }

  /// Information for the application's own use; it does not enter the version hash.
  public final var userInfo: [AnyHashable: Any]? = [:] { willSet { willModify() } }

  /// Text that enters the version hash. It makes stores migrate after a change that does not alter the hash otherwise,
  /// such as a change of what values mean.
  public final var versionHashModifier: String? { willSet { willModify() } }

  /// The name by which migration finds the entity in another version of the model; by default its name. To rename an
  /// entity, set the old name here in the new version, and leave it: the rows then move to the new name.
  public final var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set {
      willModify()
      storedRenamingIdentifier = newValue
    }
  }

  /// Groups of attributes (or their names) whose values together must be unique among the entity's objects. The store
  /// enforces them. If a save has values that another object already has, the context's merge policy decides (133021
  /// with the default policy).
  ///
  /// ```swift
  /// print(Tag.entity().uniquenessConstraints as? [[String]] ?? [])  // [["name"]]
  /// ```
  ///
  /// Rows with nil in a group are not compared. The store keeps an index for each group.
  ///
  /// See also ``NSMergePolicy/resolve(constraintConflicts:)``.
  public final var uniquenessConstraints: [[Any]] = [] { willSet { willModify() } }

  /// Groups of properties (or their names) that are indexed together. Apple recommends `indexes` instead.
  public final var compoundIndexes: [[Any]] = [] { willSet { willModify() } }

  /// The indexes that a store keeps for the entity. An attribute that fetches look up or sort by should have one:
  /// `coredata explain` and ``NSManagedObjectContext/fetch(_:)-(NSFetchRequest<ResultType>)``'s recording say which is
  /// missing. Each index makes saves slower.
  ///
  /// ```swift
  /// let date = NSAttributeDescription()
  /// date.name = "date"
  /// date.attributeType = .dateAttributeType
  /// let entity = NSEntityDescription()
  /// entity.name = "Event"
  /// entity.properties = [date]
  /// let element = NSFetchIndexElementDescription(property: date, collationType: .binary)
  /// entity.indexes = [NSFetchIndexDescription(name: "byDate", elements: [element])]
  /// print(entity.indexes.map(\.name))  // ["byDate"]
  /// ```
  ///
  /// A to-one relationship always has an index. A new index is added to a store when the store is opened with
  /// migration.
  public final var indexes: [NSFetchIndexDescription] = [] {
    willSet { willModify() }
    didSet { for index in indexes { index.owner = self } }
  }

  /// The entities that inherit from this one directly. Setting them makes this entity their superentity.
  ///
  /// Subentities have the properties of this entity, and their rows are in its table. A fetch of this entity also
  /// returns their objects (``NSFetchRequest/includesSubentities``).
  ///
  /// ```swift
  /// let photo = NSEntityDescription()
  /// photo.name = "Photo"
  /// let media = NSEntityDescription()
  /// media.name = "Media"
  /// media.isAbstract = true
  /// media.subentities = [photo]
  /// print(photo.superentity?.name ?? "none")  // Media
  /// ```
  public final var subentities: [NSEntityDescription] = [] {
    willSet { willModify() }
    didSet {
      for entity in oldValue where entity.parent === self { entity.parent = nil }
      for entity in subentities { entity.parent = self }
    }
  }

  /// The properties, inherited ones first. Setting them replaces those that the entity declares itself.
  ///
  /// Set both ends of a relationship before the model is used: each end has the other as its inverse.
  ///
  /// ```swift
  /// let entity = Entry.entity()
  /// print(entity.properties.filter { $0 is NSRelationshipDescription }.map(\.name))  // ["pages", "tags"]
  /// ```
  ///
  /// Setting an `NSExpressionDescription`, which is no property of an entity, stops the program.
  ///
  /// See also ``attributesByName``, ``propertiesByName``.
  public final var properties: [NSPropertyDescription] {
    get { lookup?.properties ?? ((parent?.properties ?? []) + declaredProperties) }
    set {
      willModify()
      let inherited = Set((parent?.properties ?? []).map(ObjectIdentifier.init))
      let declared = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
      for property in declared where property is NSExpressionDescription {
        raise(
          .invalidArgument,
          "The entity '\(name ?? "")' cannot have '\(property.name)': an expression description is no property.")
      }
      declare(declared)
    }
  }

  /// Makes properties the entity's own, in place of the properties that it declared before.
  final func declare(_ properties: [NSPropertyDescription]) {
    for property in declaredProperties where property.owner === self { property.owner = nil }
    declaredProperties = properties
    for property in declaredProperties { property.owner = self }
  }

  /// The model that the entity belongs to. If the entity has no model, reading this stops the program.
  public final var managedObjectModel: NSManagedObjectModel {
    guard let model else {
      raise(.internalInconsistency, "The entity '\(name ?? "")' has no model, or its model is gone.")
    }
    return model
  }

  /// Compares contents; super- and subentities are compared by name.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityDescription else { return false }
    return self === other || hasEqualFields(other)
  }

  /// The hash of the name.
  open override var hash: Int { name.hashValue }

  /// The names of the entity, its class and its properties.
  open override var description: String {
    "(<NSEntityDescription>) name \(name ?? "(none)"), managedObjectClassName \(managedObjectClassName ?? ""), "
      + "isAbstract \(isAbstract), superentity \(parent?.name ?? "(none)"), "
      + "properties \(properties.map(\.name)), subentities \(subentities.map { $0.name ?? "" })"
  }
}
