/// A property that refers to other objects, one or many. Give each an inverse: both ends are then kept in step, and the
/// store knows where to look from either side.
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
/// A to-one is a column with an index; the many side of one-to-many has none, and is found by that index; many-to-many
/// is a table of pairs. Objects at both ends lie in one store: a save across stores is 133010.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the objects referred to; objects of its subentities may be members, too. Not retained: the model
  /// holds its entities. Setting a relationship to an object of another entity stops the program.
  ///
  /// ```swift
  /// print(Entry.entity().relationshipsByName["tags"]?.destinationEntity?.name ?? "none")  // Tag
  /// ```
  ///
  /// A relationship without one stops the program when the model is first used.
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

  /// The relationship of the destination that leads back. Not retained: its entity holds it. Set it on both.
  ///
  /// With it, setting one end sets the other, at once and without reading what is not there yet. Without it, nobody
  /// clears the reference to an object that is deleted: it leads to a row that is gone. A to-many without an inverse
  /// costs a column in the members' table (D-REL-06), so that a member has one owner.
  ///
  /// ```swift
  /// let pages = Entry.entity().relationshipsByName["pages"]
  /// print(pages?.inverseRelationship?.name ?? "none")  // entry
  /// let page = Page(context: context)
  /// page.entry = try fetchEntry("Tuesday", in: context)
  /// print(page.entry?.pages?.contains(page) ?? false)  // true
  /// ```
  public final weak var inverseRelationship: NSRelationshipDescription? { willSet { willModify() } }

  /// The largest number of objects: 1 for a to-one relationship, 0, as at first, for a to-many one without limit. More
  /// members than that are 1590 when an object is saved whose members were changed. It enters the version hash, and so
  /// does ``minCount``.
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

  /// The smallest number of objects, if there are any at all or the relationship is not optional. Fewer are 1580 when
  /// the object is saved. 0 at first.
  ///
  /// An optional relationship may be empty whatever this says; a mandatory to-many without a minimum, too (D-OBJ-13).
  ///
  /// ```swift
  /// let authors = NSRelationshipDescription()
  /// authors.name = "authors"
  /// (authors.isOptional, authors.minCount, authors.maxCount) = (false, 1, 3)
  /// print(authors.isToMany)  // true
  /// ```
  public final var minCount = 0 { willSet { willModify() } }

  /// How deleting the owner affects the members of the relationship; nullify at first. Each end has its own: that of an
  /// entry's `pages` says what becomes of pages when an entry goes.
  ///
  /// ```swift
  /// let relationships = Entry.entity().relationshipsByName
  /// print(relationships["pages"]?.deleteRule == .cascadeDeleteRule)  // true
  /// context.delete(try fetchEntry("Monday", in: context))
  /// try context.save()
  /// print(try context.count(for: NSFetchRequest<Page>(entityName: "Page")))  // 0
  /// ```
  ///
  /// Applied when the event ends or with the next save, in memory, and by batch deletes in the store. It does not enter
  /// the version hash.
  ///
  /// See also ``NSDeleteRule``.
  public final var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { willModify() } }

  /// Whether the objects of a to-many relationship have an order of the owner's; they then come as an NSOrderedSet.
  /// False at first.
  ///
  /// The order costs a sort key for each member; adding at the end or moving one member writes few of them. If the
  /// order follows from a value, as a date, sort fetches instead.
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

  /// Whether the relationship can refer to more than one object: whether ``maxCount`` is not 1. Its value is then a
  /// set, else an object.
  ///
  /// ```swift
  /// let relationships = Page.entity().relationshipsByName
  /// print(relationships.map { "\($0): \($1.isToMany)" })  // ["entry: false"]
  /// ```
  public final var isToMany: Bool { maxCount != 1 }

  /// The copy keeps destination and inverse; copying a whole model replaces them by their copies.
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
