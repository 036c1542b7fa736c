import Foundation
import OpenCocoaFoundation

extension ContextEvents {
  func list(_ loose: LooseMembers, of owner: NSManagedObject, _ slot: PropertySlot) {
    if context.event.looseMembers.entries.count >= context.event.looseMembers.limit {
      followLooseMembers()
      context.event.looseMembers.limit = max(256, 2 * context.event.looseMembers.entries.count)
    }
    loose.isListed = true
    context.event.looseMembers.entries.append(ListedLooseMembers.Entry(owner: owner, slot: slot, loose: loose))
  }

  /// Applies the changes that the application has made to its sets of members, and forgets sets that it no longer
  /// holds.
  func followLooseMembers() {
    if context.event.looseMembers.entries.isEmpty { return }
    let entries = context.event.looseMembers.entries
    context.event.looseMembers.entries = []
    for entry in entries {
      if entry.owner.table?.context === context { entry.owner.follow(entry.loose, entry.slot) }
      if entry.loose.isHeld { context.event.looseMembers.entries.append(entry) } else { entry.loose.isListed = false }
    }
  }
}
