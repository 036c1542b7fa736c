/// The lists of an entity's properties that are read most often, computed once.
struct EntityLookup {
  let properties: [NSPropertyDescription]
  let propertiesByName: [String: NSPropertyDescription]
  let attributesByName: [String: NSAttributeDescription]
  let relationshipsByName: [String: NSRelationshipDescription]

  /// A later property replaces an earlier one of the same name, so that a subentity's own declaration wins.
  init(_ properties: [NSPropertyDescription]) {
    self.properties = properties
    propertiesByName = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    attributesByName = propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    relationshipsByName = propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }
}

extension NSEntityDescription {
  private final var currentLookup: EntityLookup { lookup ?? EntityLookup(properties) }

  /// All properties, inherited ones included, by name: attributes, relationships and fetched properties.
  ///
  /// Use it to check a name from outside before `setValue(_:forKey:)`: an unknown name stops the program there.
  ///
  /// ```swift
  /// let names = ["title", "colour"]
  /// print(names.filter { Entry.entity().propertiesByName[$0] == nil })  // ["colour"]
  /// ```
  ///
  /// See also ``attributesByName``, ``relationshipsByName``.
  public final var propertiesByName: [String: NSPropertyDescription] { currentLookup.propertiesByName }

  /// The attributes, inherited ones and transient ones included, by name. A dictionary has no order: sort the keys
  /// before people see them.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let filled = entry.entity.attributesByName.keys.filter { entry.value(forKey: $0) != nil }
  /// print(filled.sorted())  // ["date", "isPinned", "rating", "title", "words"]
  /// ```
  ///
  /// See also ``NSManagedObject/value(forKey:)``.
  public final var attributesByName: [String: NSAttributeDescription] { currentLookup.attributesByName }

  /// The relationships, inherited ones included, by name.
  ///
  /// ```swift
  /// let relationships = Entry.entity().relationshipsByName
  /// print(relationships["pages"]?.isOrdered ?? false)  // true
  /// print(relationships["tags"]?.destinationEntity?.name ?? "none")  // Tag
  /// ```
  ///
  /// See also ``relationships(forDestination:)``.
  public final var relationshipsByName: [String: NSRelationshipDescription] { currentLookup.relationshipsByName }

  /// The direct subentities by name.
  public final var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(subentities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { $1 })
  }

  /// The entity that this one inherits from, or nil. Not retained: the model holds its entities.
  public final var superentity: NSEntityDescription? { parent }

  /// Returns the relationships whose destination is the given entity or one of the entities that it inherits from.
  public final func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
    relationshipsByName.values
      .filter { $0.destinationEntity.map(entity.isKindOf(entity:)) ?? false }
      .sorted { $0.name < $1.name }
  }

  /// Whether the entity is the given one or inherits from it.
  public final func isKindOf(entity: NSEntityDescription) -> Bool {
    var candidate: NSEntityDescription? = self
    while let current = candidate {
      if current === entity { return true }
      candidate = current.parent
    }
    return false
  }

  /// The entity at the top of the hierarchy: its table holds the rows.
  package final var rootEntity: NSEntityDescription {
    var root = self
    while let parent = root.parent { root = parent }
    return root
  }

  /// The entities that inherit from this one, directly or indirectly, depth first, sorted by name without regard to
  /// case.
  final var allSubentities: [NSEntityDescription] {
    subentities.sorted(by: NSEntityDescription.precedesInStore).flatMap { [$0] + $0.allSubentities }
  }

  /// The names in each uniqueness constraint that the entity declares, whether the constraint lists names or
  /// properties.
  package final var uniquenessConstraintNames: [[String]] { uniquenessConstraints.map(Self.propertyNames) }

  /// The names in each compound index, whether the index lists names or properties.
  package final var compoundIndexNames: [[String]] { compoundIndexes.map(Self.propertyNames) }

  private static func propertyNames(_ group: [Any]) -> [String] {
    group.compactMap { ($0 as? NSPropertyDescription)?.name ?? ($0 as? String) }
  }

  /// Whether a store numbers one entity before another if both have the same superentity.
  final class func precedesInStore(_ first: NSEntityDescription, _ second: NSEntityDescription) -> Bool {
    let (first, second) = (first.name ?? "", second.name ?? "")
    let (foldedFirst, foldedSecond) = (first.lowercased(), second.lowercased())
    return foldedFirst == foldedSecond ? first < second : foldedFirst < foldedSecond
  }
}
