import Foundation
import OpenCocoaFoundation

/// The state of a relationship at `willChangeValue(forKey:)`, before its primitive value changes.
struct RelationshipBracket {
  let relationIndex: Int
  /// How many calls have not been answered by `didChangeValue(forKey:)` yet.
  var depth = 1
  /// The member of a to-one relationship.
  var member: NSManagedObject?
  /// The members that were added to a to-many relationship and not saved.
  var added: Set<NSManagedObject> = []
  /// The members that were removed from a to-many relationship and not saved.
  var removed: Set<NSManagedObject> = []
}

// Custom accessors announce a change, change the primitive value and say that it has changed. Then the other ends of the
// relationship follow: those of the members that came or went in between.
extension NSManagedObject {
  /// Whether `willChangeValue(forKey:)` was called for the relationship, and `didChangeValue(forKey:)` was not yet.
  final func isBracketed(_ slot: PropertySlot) -> Bool {
    relations?.brackets.contains { $0.relationIndex == slot.relationIndex } ?? false
  }

  final func openBracket(_ slot: PropertySlot) {
    // Values that awakeFromFetch sets count as the object's first values, not as a change.
    if slot.inverse == nil && !slot.hasFurtherEnds || state.contains(.awakening) { return }
    let relations = relationStates
    if let place = relations.brackets.firstIndex(where: { $0.relationIndex == slot.relationIndex }) {
      relations.brackets[place].depth += 1
      return
    }
    relations.brackets.append(image(of: slot))
  }

  /// Brings the other ends up to date. If an outer call to `willChangeValue(forKey:)` is still open, notes the present
  /// members for it.
  final func closeBracket(_ slot: PropertySlot) {
    guard let place = relations?.brackets.firstIndex(where: { $0.relationIndex == slot.relationIndex }) else { return }
    if slot.kind == .toMany, let loose = toManyState(slot.relationIndex).loose { follow(loose, slot) }
    guard let bracket = relations?.brackets.remove(at: place) else { return }
    if slot.kind == .toOne { followMember(slot, bracket) } else { followMembers(slot, bracket) }
    if bracket.depth == 1 { return }
    var rest = image(of: slot)
    rest.depth = bracket.depth - 1
    relationStates.brackets.append(rest)
  }

  private final func image(of slot: PropertySlot) -> RelationshipBracket {
    var bracket = RelationshipBracket(relationIndex: slot.relationIndex)
    if slot.kind == .toOne {
      bracket.member = toOne(slot)
    } else {
      let state = toManyState(slot.relationIndex)
      bracket.added = state.added
      bracket.removed = state.removed
    }
    return bracket
  }

  private final func followMember(_ slot: PropertySlot, _ bracket: RelationshipBracket) {
    let new = toOne(slot)
    if new === bracket.member { return }
    if let inverse = slot.inverse {
      bracket.member?.dropInverse(inverse, self, from: slot.key)
      new?.addInverse(inverse, self, from: slot.key)
    }
    if slot.hasFurtherEnds { tellFurtherEnds(slot, bracket.member, new) }
  }

  private final func followMembers(_ slot: PropertySlot, _ bracket: RelationshipBracket) {
    let state = toManyState(slot.relationIndex)
    let touched = state.added.symmetricDifference(bracket.added)
      .union(state.removed.symmetricDifference(bracket.removed))
    if touched.isEmpty { return }
    if state.keys == nil { _ = storedKeys(slot, state) }
    // Objects are sorted by their keys, so that two runs write the same.
    for object in touched.sorted(by: { $0.key < $1.key }) {
      let isMember = state.contains(object)
      if let inverse = slot.inverse {
        if isMember {
          object.addInverse(inverse, self, from: slot.key)
        } else {
          object.dropInverse(inverse, self, from: slot.key)
        }
      }
      if slot.hasFurtherEnds { tellFurtherEnds(slot, isMember ? nil : object, isMember ? object : nil) }
    }
  }
}
