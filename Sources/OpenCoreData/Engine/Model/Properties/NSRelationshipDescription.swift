/// A property that refers to other objects, one or many. Give each relationship an inverse: both ends are then kept
/// consistent, and the store can find the objects from either side.
///
/// ```swift
/// let owner = NSRelationshipDescription()
/// owner.name = "owner"
/// owner.maxCount = 1
/// let pets = NSRelationshipDescription()
/// pets.name = "pets"
/// (owner.inverseRelationship, pets.inverseRelationship) = (pets, owner)
/// let person = NSEntityDescription(), pet = NSEntityDescription()
/// (person.name, pet.name) = ("Person", "Pet")
/// (owner.destinationEntity, pets.destinationEntity) = (person, pet)
/// (person.properties, pet.properties) = ([pets], [owner])
/// let model = NSManagedObjectModel()
/// model.entities = [person, pet]
/// print(pets.isToMany, owner.isToMany)  // true false
/// ```
///
/// A to-one relationship is a column with an index. The to-many side of a one-to-many relationship has no column, and
/// is found by that index. A many-to-many relationship is a table of pairs. The objects at both ends must be in one
/// store: a save across stores fails with 133010.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the objects referred to; objects of its subentities may be members, too. Not retained: the model
  /// holds its entities. Setting a relationship to an object of another entity stops the program.
  ///
  /// ```swift
  /// print(Entry.entity().relationshipsByName["tags"]?.destinationEntity?.name ?? "none")  // Tag
  /// ```
  ///
  /// A relationship without a destination entity stops the program when the model is first used.
  ///
  /// See also ``inverseRelationship``.
  public final var destinationEntity: NSEntityDescription? {
    get { destination }
    set {
      willModify()
      destination = newValue
    }
  }
  @WeaklyReferring private final var destination: NSEntityDescription?

  /// The relationship of the destination that leads back. Not retained: its entity holds it. Set it at both ends.
  ///
  /// With an inverse, setting one end also sets the other end, at once and without reading objects that have not been
  /// read. Without an inverse, a reference to a deleted object is not cleared, and leads to a row that is gone. A
  /// to-many relationship without an inverse needs a column in the members' table (D-REL-06), so that a member has one
  /// owner.
  ///
  /// ```swift
  /// let pages = Entry.entity().relationshipsByName["pages"]
  /// print(pages?.inverseRelationship?.name ?? "none")  // entry
  /// let page = Page(context: context)
  /// page.entry = try fetchEntry("Tuesday", in: context)
  /// print(page.entry?.pages?.contains(page) ?? false)  // true
  /// ```
  ///
  /// An inverse whose own inverse is another relationship is kept as it is: each relationship has the inverse that it
  /// names follow (D-REL-14), and `coredata model check` warns.
  public final weak var inverseRelationship: NSRelationshipDescription? { willSet { willModify() } }

  /// What else follows the relationship; nil where the inverse leads back, and before the model is in use.
  final var ends: RelationshipEnds?

  /// The largest number of objects: 1 for a to-one relationship; 0, the value at first, for a to-many relationship
  /// without limit. If there are more members, the save of an object whose members were changed fails with 1590. This
  /// number and ``minCount`` enter the version hash.
  ///
  /// ```swift
  /// let relationships = Page.entity().relationshipsByName
  /// print(relationships["entry"]?.maxCount ?? 0, Entry.entity().relationshipsByName["tags"]?.maxCount ?? 1)  // 1 0
  /// ```
  ///
  /// **A relationship made in code is to-many until this is 1.**
  ///
  /// See also ``isToMany``, ``minCount``.
  public final var maxCount = 0 { willSet { willModify() } }

  /// The smallest number of objects; 0 at first. It applies if there are any objects or the relationship is not
  /// optional. With fewer objects the save of the owner fails with 1580.
  ///
  /// An optional relationship may be empty whatever the minimum is, and so may a mandatory to-many relationship without
  /// a minimum (D-OBJ-13).
  ///
  /// ```swift
  /// let authors = NSRelationshipDescription()
  /// authors.name = "authors"
  /// (authors.isOptional, authors.minCount, authors.maxCount) = (false, 1, 3)
  /// print(authors.isToMany)  // true
  /// ```
  public final var minCount = 0 { willSet { willModify() } }

  /// How the deletion of the owner affects the members of the relationship; nullify at first. Each end has its own
  /// rule: the rule of an entry's `pages` applies to the pages when the entry is deleted.
  ///
  /// ```swift
  /// let relationships = Entry.entity().relationshipsByName
  /// print(relationships["pages"]?.deleteRule == .cascadeDeleteRule)  // true
  /// context.delete(try fetchEntry("Monday", in: context))
  /// try context.save()
  /// print(try context.count(for: NSFetchRequest<Page>(entityName: "Page")))  // 0
  /// ```
  ///
  /// The rule is applied in memory when the event ends or with the next save, and by batch deletes in the store. It
  /// does not enter the version hash.
  ///
  /// See also ``NSDeleteRule``.
  public final var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { willModify() } }

  /// Whether the owner keeps the objects of a to-many relationship in an order; the value is then an NSOrderedSet.
  /// False at first.
  ///
  /// The store keeps a sort key for each member; adding a member at the end or moving one member writes few of these
  /// keys. If the order follows from a value, such as a date, sort the fetches instead.
  ///
  /// ```swift
  /// let monday = try fetchEntry("Monday", in: context)
  /// let page = Page(context: context)
  /// page.text = "Night"
  /// monday.addToPages(page)
  /// print(monday.pages?.compactMap { ($0 as? Page)?.text } ?? [])  // ["Morning", "Evening", "Night"]
  /// ```
  ///
  /// See also ``NSManagedObject/mutableOrderedSetValue(forKey:)``.
  public final var isOrdered = false { willSet { willModify() } }

  /// Whether the relationship can refer to more than one object: whether ``maxCount`` is not 1. The value of a to-many
  /// relationship is a set, that of a to-one relationship an object.
  ///
  /// ```swift
  /// let relationships = Page.entity().relationshipsByName
  /// print(relationships.map { "\($0): \($1.isToMany)" })  // ["entry: false"]
  /// ```
  public final var isToMany: Bool { maxCount != 1 }

  /// The copy keeps destination and inverse. When a whole model is copied, it replaces them by their copies.
  override func detachedCopy() -> NSPropertyDescription {
    let copy = NSRelationshipDescription()
    copyFields(to: copy)
    return copy
  }

  override func copyFields(to copy: NSPropertyDescription) {
    super.copyFields(to: copy)
    guard let copy = copy as? NSRelationshipDescription else { return }
    copy.destinationEntity = destinationEntity
    copy.inverseRelationship = inverseRelationship
    copy.maxCount = maxCount
    copy.minCount = minCount
    copy.deleteRule = deleteRule
    copy.isOrdered = isOrdered
  }

  override func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    guard super.hasEqualFields(other), let other = other as? NSRelationshipDescription else { return false }
    return destinationEntity?.name == other.destinationEntity?.name
      && inverseRelationship?.name == other.inverseRelationship?.name && maxCount == other.maxCount
      && minCount == other.minCount && deleteRule == other.deleteRule && isOrdered == other.isOrdered
  }
}
