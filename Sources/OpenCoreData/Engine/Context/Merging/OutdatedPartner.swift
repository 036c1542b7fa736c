/// Two partners in a one-to-one relationship, of which one may have an older row than the other.
struct OutdatedPartner {
  let partner: NSManagedObject
  let back: PropertySlot
  let object: NSManagedObject
  let slot: PropertySlot

  /// Refreshes the partner if its row still says something else than the object's.
  func match() {
    guard !object.isDetached, !partner.isDetached, !partner.holds(back),
      partner.state.isDisjoint(with: [.hasNoRow, .deleted]), let row = object.snapshot
    else { return }
    if partner.isUnread {
      // It has become a fault meanwhile, whose row is read now if the object belongs to another partner.
      if object.holds(slot) { object.matchPartner(slot) }
    } else if partner.leads(to: object, by: back) != (row.memberKey(at: slot.index) == partner.key) {
      partner.takePresentRow()
    }
  }
}
