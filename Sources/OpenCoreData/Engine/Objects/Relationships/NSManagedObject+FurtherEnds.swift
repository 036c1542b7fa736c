import Foundation
import OpenCocoaFoundation

// Relationships whose inverse has another inverse, or none: each has the inverse that it names follow, and the to-many
// relationships that are stored in one column follow what changes there.
extension NSManagedObject {
  /// Has all relationships follow that a change of a relationship concerns, apart from its other end.
  ///
  /// Each of them may have others follow in turn. This ends, because a relationship that agrees already has none follow:
  /// what is added is one pair of objects, and what is dropped are pairs that had to make room for it.
  /// - Parameters:
  ///   - old: The object that this object no longer leads to.
  ///   - new: The object that this object leads to now.
  ///   - source: The relationship of the other object that has brought the change about; nil for a change made here. Then
  ///     the other end follows too, unless it is the source.
  final func tellFurtherEnds(
    _ slot: PropertySlot, _ old: NSManagedObject?, _ new: NSManagedObject?, besides source: _PropertyKey? = nil
  ) {
    guard let ends = slot.relationship.ends else { return }
    var followers = ends.followers
    if source != nil, let other = ends.otherEnd { followers.insert(other, at: 0) }
    for follower in followers {
      let key = _PropertyKey(follower.name)
      if key == source { continue }
      if let old, old.canFollow(key, self) { old.dropInverse(key, self, from: slot.key) }
      if let new, new.canFollow(key, self) { new.addInverse(key, self, from: slot.key) }
    }
  }

  /// Whether this object has the relationship, and `other` can be a member of it.
  private final func canFollow(_ key: _PropertyKey, _ other: NSManagedObject) -> Bool {
    guard !isDetached, let slot = layout.slot(key), slot.kind.isRelationship, let destination = slot.destination else {
      return false
    }
    return other.layout.isKind(of: destination.layout)
  }
}
