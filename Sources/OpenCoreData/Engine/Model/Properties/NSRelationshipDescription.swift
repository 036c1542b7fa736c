/// A property that refers to other objects.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the objects referred to. Not retained: the model holds its entities.
  public final var destinationEntity: NSEntityDescription? {
    get { destination }
    set {
      willModify()
      destination = newValue
    }
  }
  @WeaklyReferring private final var destination: NSEntityDescription?

  /// The relationship of the destination that leads back. Not retained: its entity holds it.
  public final weak var inverseRelationship: NSRelationshipDescription? { willSet { willModify() } }

  /// The largest number of objects: 1 for a to-one relationship, 0 for a to-many one without limit.
  public final var maxCount = 0 { willSet { willModify() } }

  /// The smallest number of objects, if there are any at all or the relationship is not optional.
  public final var minCount = 0 { willSet { willModify() } }

  /// How deleting the owner affects the members of the relationship.
  public final var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { willModify() } }

  /// Whether the objects of a to-many relationship have an order.
  public final var isOrdered = false { willSet { willModify() } }

  /// Whether the relationship can refer to more than one object.
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
