import Foundation
import OpenCocoaFoundation

// The model's rules for the members of relationships.
extension NSManagedObject {
  /// Validates a to-many relationship of an object that is about to be saved. An unchanged relationship is as valid as it
  /// was, and is not read.
  final func validateCurrentMembers(_ slot: PropertySlot) throws {
    let known = relations?.states[slot.relationIndex] as? ToManyState
    guard known?.hasChanges == true || state.contains(.inserted) else { return }
    guard let known else { return try validate([], slot) }
    // One member that was added satisfies a minimum of 1; the others need not be read.
    if !known.added.isEmpty, slot.relationship.minCount <= 1, slot.relationship.maxCount == 0,
      slot.property.storedValidationPredicates.isEmpty
    {
      return
    }
    try validate(members(slot), slot)
  }

  /// Validates members of a to-many relationship.
  ///
  /// Having none is right if the relationship is optional, or has no minimum: a mandatory to-many relationship without
  /// `minCount` may be empty, as on Apple's systems, whose stores are full of such objects.
  final func validate(_ members: ContiguousArray<NSManagedObject>, _ slot: PropertySlot) throws {
    let relationship = slot.relationship
    if members.isEmpty, slot.isOptional { return }
    func value() -> Any { slot.isOrdered ? NSOrderedSet(array: Array(members)) : NSSet(array: Array(members)) }
    if members.count < relationship.minCount {
      throw error(
        NSValidationRelationshipLacksMinimumCountError, slot, "\(slot.name) has too few members.", value())
    }
    if relationship.maxCount > 0, members.count > relationship.maxCount {
      throw error(
        NSValidationRelationshipExceedsMaximumCountError, slot, "\(slot.name) has too many members.", value())
    }
    if !slot.property.storedValidationPredicates.isEmpty { try validatePredicates(value(), slot) }
  }

  /// Whether the members of a to-many relationship are neither known nor changed.
  final func isUnread(_ slot: PropertySlot) -> Bool {
    if state.contains(.hasNoRow) { return false }
    guard let known = relations?.states[slot.relationIndex] as? ToManyState else { return true }
    return known.keys == nil && known.members == nil && !known.hasChanges
  }

  /// Validates the deletion of the object.
  /// - Throws: 1600 where a relationship with the rule deny has members that are not deleted, too.
  final func validateDeletion() throws {
    checkQueue()
    if layout.relationshipPlaces.isEmpty { return }
    var errors: [any Error] = []
    for place in layout.relationshipPlaces {
      let slot = layout.slots[place]
      if slot.relationship.deleteRule != .denyDeleteRule { continue }
      let related = slot.kind == .toOne ? toOne(slot).map { [$0] } ?? [] : members(slot)
      let rest = related.filter { !$0.state.contains(.deleted) }
      guard let first = rest.first else { continue }
      errors.append(
        error(
          NSValidationRelationshipDeniedDeleteError, slot,
          "\(layout.name) cannot be deleted: its relationship \(slot.name) still has members and denies deletion.",
          slot.kind == .toOne ? first : NSSet(array: Array(rest)), nil,
          ["NSValidationErrorShouldAttemptRecoveryKey": true]))
    }
    try NSError.throwAll(errors)
  }
}
