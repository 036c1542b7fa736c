/// The relationships that follow a relationship, in a model in which not every inverse leads back.
///
/// A model may say that the inverse of `Picture.painter` is `Painter.portrait`, while the inverse of `portrait` is
/// another relationship. Then each relationship has its own inverse follow. Besides, a to-many relationship whose inverse
/// is a to-one relationship is stored in the column of that relationship, and so its members follow whatever changes
/// there; several to-many relationships may be stored in one column.
package final class RelationshipEnds: @unchecked Sendable {  // Made when the model is frozen, and not changed after.
  private struct Reference {
    unowned let relationship: NSRelationshipDescription
  }

  private let other: Reference?
  private let further: [Reference]
  private let stored: [Reference]

  /// The relationship that the engine keeps in step in both directions: the inverse where it leads back, the to-one
  /// relationship that a to-many relationship is stored in, and of a to-one relationship without such an inverse the
  /// first to-many relationship that is stored in it.
  package var otherEnd: NSRelationshipDescription? { other?.relationship }
  /// All others that follow a change of the relationship.
  package var followers: [NSRelationshipDescription] { further.map(\.relationship) }
  /// The to-many relationships that are stored in a to-one relationship's column, ordered ones first.
  package var lists: [NSRelationshipDescription] { stored.map(\.relationship) }

  private init(of relationship: NSRelationshipDescription, lists: [NSRelationshipDescription]) {
    let inverse = relationship.inverseRelationship
    let isMutual = inverse?.inverseRelationship === relationship
    let other =
      if isMutual || relationship.isToMany && inverse?.isToMany == false { inverse } else { lists.first }
    var further = lists
    if let inverse, !lists.contains(where: { $0 === inverse }) { further.append(inverse) }
    self.other = other.map(Reference.init)
    self.further = further.filter { $0 !== other }.map(Reference.init)
    stored = lists.map(Reference.init)
  }

  /// Finds the relationships of a model whose inverse does not lead back, or that are the inverse of such a
  /// relationship. All others need nothing: their inverse is their other end.
  static func find(in entities: [NSEntityDescription]) {
    let all = entities.flatMap { $0.declaredProperties.compactMap { $0 as? NSRelationshipDescription } }
    var lists: [ObjectIdentifier: [NSRelationshipDescription]] = [:]
    var uneven: [ObjectIdentifier: NSRelationshipDescription] = [:]
    for relationship in all {
      guard let inverse = relationship.inverseRelationship, inverse.inverseRelationship !== relationship else {
        continue
      }
      uneven[ObjectIdentifier(relationship)] = relationship
      uneven[ObjectIdentifier(inverse)] = inverse
    }
    if uneven.isEmpty { return }
    for relationship in all where relationship.isToMany && !relationship.isTransient {
      guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { continue }
      lists[ObjectIdentifier(inverse), default: []].append(relationship)
    }
    for (key, relationship) in uneven {
      let own = (lists[key] ?? []).sorted { first, second in
        first.isOrdered != second.isOrdered ? first.isOrdered : first.path < second.path
      }
      relationship.ends = RelationshipEnds(of: relationship, lists: own)
    }
  }
}

extension NSRelationshipDescription {
  /// The relationship that holds the same facts from the other side, and is kept in step with this one in both
  /// directions: the inverse, in a model whose inverses lead back.
  package final var otherEnd: NSRelationshipDescription? {
    if let ends { return ends.otherEnd }
    return inverseRelationship
  }

  /// Whether the inverse has another inverse than this relationship, or none.
  package final var hasUnevenInverse: Bool {
    guard let inverseRelationship else { return false }
    return inverseRelationship.inverseRelationship !== self
  }

  /// The to-many relationship that keeps its order in the column beside this to-one relationship's.
  package final var orderedList: NSRelationshipDescription? {
    let list = ends.map(\.lists.first) ?? otherEnd
    return list.flatMap { $0.isToMany && $0.isOrdered ? $0 : nil }
  }

  /// Whether the order of this relationship is kept where its members are stored. Of several ordered relationships that are
  /// stored in one column the first one's is, and the others have it when they are read.
  package final var keepsOrder: Bool {
    guard isOrdered, let inverseRelationship, !inverseRelationship.isToMany, inverseRelationship.ends != nil else {
      return isOrdered
    }
    return inverseRelationship.orderedList === self
  }

  /// Entity and name.
  fileprivate final var path: String { "\(owner?.name ?? "").\(name)" }
}
