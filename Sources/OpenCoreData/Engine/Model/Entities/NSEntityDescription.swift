import Foundation
import OpenCocoaFoundation
import Synchronization

/// A kind of managed object: its name, its class and its properties. Found in a model, or built for one in code.
///
/// Ask it what an object has, where code is written for objects of any kind; of an object it is
/// ``NSManagedObject/entity-swift.property``.
///
/// ```swift
/// let entity = Entry.entity()
/// for (name, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) where !attribute.isOptional {
///   print(name)  // isPinned / rating / title / words
/// }
/// ```
///
/// Entities of one hierarchy share a table, so a deep hierarchy makes wide rows; abstract ones have no rows of their
/// own. In a model that is in use nothing can be changed any more (D-MOD-02).
///
/// `@unchecked Sendable`: whoever builds a model owns it alone; from its first use on nothing in it changes
/// (`isFrozen`), apart from what the model's own lock protects.
///
/// See also ``NSManagedObjectModel``, ``NSAttributeDescription``, ``NSRelationshipDescription``.
open class NSEntityDescription: NSObject, NSCopying, NSSecureCoding, ModelPart, WeaklyReferenced, @unchecked Sendable {
  final var isFrozen = false
  final weak var model: NSManagedObjectModel?
  @WeaklyReferring final var parent: NSEntityDescription?
  /// For those that the entity keeps, and for relationships.
  package final let reference = WeakReference()
  final var storedClassName: String?
  final var storedRenamingIdentifier: String?

  /// The properties that the entity declares itself, without the inherited ones.
  package final private(set) var declaredProperties: [NSPropertyDescription] = []

  /// The model that an entity which was decoded by itself refers to.
  final var decodedModel: NSManagedObjectModel?

  /// Tables derived from the declarations, computed once when the model is frozen.
  final var lookup: EntityLookup?

  /// The runtime layout, computed once when the model is frozen, by Objects/EntityLayout.swift.
  @exclusivity(unchecked) final var layoutStorage: AnyObject? {
    didSet {
      layoutAddress.store(layoutStorage.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, ordering: .releasing)
    }
  }
  /// The address of the layout, which every thread can read; 0 until the layout is complete.
  final let layoutAddress = Atomic<UInt>(0)

  /// The entity's number in a store (Z_ENT): from 1, or 0 before the model is frozen.
  final var storeNumber = 0

  /// Makes an entity without name and properties.
  public override init() {
    super.init()
    reference.begin(self)
  }

  deinit { reference.end() }

  /// Decodes an entity with its subentities; others that it refers to are those of a model that it holds.
  ///
  /// Nil, with an error of the coder (4864), for an archive that holds none.
  public required init?(coder: NSCoder) {
    super.init()
    reference.begin(self)
    guard DescriptionCoder.decode(self, coder) else { return nil }
  }

  /// True: entities are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the entity and everything that it refers to. A predicate with a block, which cannot be archived, stops the
  /// program.
  public func encode(with coder: NSCoder) { DescriptionCoder.encode(self, coder) }

  /// The name of the entity, unique in its model: what fetch requests name, and what the store's table is called after.
  ///
  /// It may differ from the class's name. Renaming it makes another entity of it, and drops its rows in an inferred
  /// migration, unless ``renamingIdentifier`` has the old name.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// print(entry.entity.name ?? "none")  // Entry
  /// ```
  ///
  /// Letters, digits and underscores: with other characters of ASCII a SQLite store refuses the model (134020,
  /// D-MOD-20).
  public final var name: String? { willSet { willModify() } }

  /// The name of the class of the entity's objects, with its module as `NSStringFromClass` gives it, or without;
  /// `NSManagedObject` by default.
  ///
  /// A class that is not found is NSManagedObject, and a typed fetch of it then stops the program, saying so. Setting
  /// it in code is how a model made in code gets classes:
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
  /// ships, and not in a source model that is read as it is. It does not enter the version hash.
  public final var managedObjectClassName: String! {
    get { storedClassName ?? "NSManagedObject" }
    set {
      willModify()
      storedClassName = newValue
    }
  }

  /// Whether the entity has no objects of its own, only those of its subentities. Inserting an object of it stops the
  /// program; fetching returns objects of the subentities.
  public final var isAbstract = false { willSet { willModify() } }

  /// Information for the application's own use; it does not enter the version hash.
  public final var userInfo: [AnyHashable: Any]? = [:] { willSet { willModify() } }

  /// Text that enters the version hash. Change it to have stores migrated for a change that the hash would not show
  /// otherwise, such as a change of the meaning of values.
  public final var versionHashModifier: String? { willSet { willModify() } }

  /// The name by which migration finds the entity in another version of the model; by default its name. Give the new
  /// version the old name, and leave it there: the rows then follow the new name.
  public final var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set {
      willModify()
      storedRenamingIdentifier = newValue
    }
  }

  /// Groups of attributes (or their names) whose values together must be unique among the entity's objects. The store
  /// keeps them; a save that meets a taken value asks the context's merge policy (133021 with the default).
  ///
  /// ```swift
  /// print(Tag.entity().uniquenessConstraints as? [[String]] ?? [])  // [["name"]]
  /// ```
  ///
  /// Rows with nil in a group are not compared. Each group costs an index.
  ///
  /// See also ``NSMergePolicy/resolve(constraintConflicts:)``.
  public final var uniquenessConstraints: [[Any]] = [] { willSet { willModify() } }

  /// Groups of properties (or their names) that are indexed together. Apple recommends `indexes` instead.
  public final var compoundIndexes: [[Any]] = [] { willSet { willModify() } }

  /// The indexes that a store keeps for the entity. What fetches look up or sort by wants one: `coredata explain` and
  /// ``NSManagedObjectContext/fetch(_:)-(NSFetchRequest<ResultType>)``'s recording say which is missing. Each makes
  /// saves slower.
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
  /// To-one relationships have an index by themselves. Adding one is a change that opening the store with migration
  /// carries out.
  public final var indexes: [NSFetchIndexDescription] = [] {
    willSet { willModify() }
    didSet { for index in indexes { index.owner = self } }
  }

  /// The entities that inherit from this one directly. Setting them makes this entity their superentity.
  ///
  /// They have its properties and lie in its table. A fetch of this entity gives their objects, too
  /// (``NSFetchRequest/includesSubentities``).
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
  /// Both ends of a relationship are set before the model is used: each has the other as its inverse.
  ///
  /// ```swift
  /// let entity = Entry.entity()
  /// print(entity.properties.filter { $0 is NSRelationshipDescription }.map(\.name))  // ["pages", "tags"]
  /// ```
  ///
  /// An `NSExpressionDescription`, which is no property of an entity, stops the program.
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

  /// Replaces the entity's own properties.
  final func declare(_ properties: [NSPropertyDescription]) {
    for property in declaredProperties where property.owner === self { property.owner = nil }
    declaredProperties = properties
    for property in declaredProperties { property.owner = self }
  }

  /// The model of the entity. Asking an entity without a model stops the program.
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
