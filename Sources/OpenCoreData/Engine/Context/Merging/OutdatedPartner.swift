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
    // The object belongs to another partner here, and this one, which may have become a fault, and have been read again
    // meanwhile, gives it up.
    let isTakenAway =
      object.holds(slot) && object.leads(to: partner, by: slot) == false && partner.leads(to: object, by: back) != false
    if isTakenAway {
      object.matchPartner(slot)
    } else if !partner.isUnread,
      partner.leads(to: object, by: back) != (row.memberKey(at: slot.index) == partner.key)
    {
      partner.takePresentRow()
    }
  }
}
