/// An object whose row agreed with what its partner in a one-to-one relationship holds unsaved, before it was refreshed.
///
/// Setting the partner's end was no change at the object's own end then. A newer row may say something else, and the object has
/// to hold its end from then on.
struct HeldPartner {
  let object: NSManagedObject
  let slot: PropertySlot
  let partner: NSManagedObject
  let back: PropertySlot

  /// Lets the object hold its end if its row does not say it any more.
  func match() {
    guard !object.isDetached, !partner.isDetached, isHeld, !object.holds(slot), object.realised != nil,
      object.state.isDisjoint(with: [.hasNoRow, .deleted]), object.leads(to: partner, by: slot) == false
    else { return }
    object.keep(partner, slot)
    object.matchPartner(slot)
  }

  /// Whether the partner still leads to the object by a value that is not saved.
  private var isHeld: Bool {
    partner.holds(back) && partner.leads(to: object, by: back) == true
      && partner.state.isDisjoint(with: [.hasNoRow, .deleted])
  }
}

extension NSManagedObject {
  /// Notes the partners that hold this object unsaved, where its row alone agrees with them. The row is about to be given up.
  final func noteHeldPartners() {
    guard let row = snapshot, let context = table?.context, !context.changed.isEmpty else { return }
    for place in layout.relationshipPlaces where isOneToOne(place) {
      let slot = layout.slots[place], key = row.memberKey(at: slot.index)
      guard let inverse = slot.inverse, key != 0, !holds(slot) || changedValue(slot) == nil,
        let partner = registeredMember(key, slot), partner.changes != nil,
        let back = partner.layout.slot(inverse), partner.holds(back), partner.leads(to: self, by: back) == true
      else { continue }
      context.merger.noteHeld(HeldPartner(object: self, slot: slot, partner: partner, back: back))
    }
  }

  /// Notes each object that this one holds unsaved in a one-to-one relationship, where the object's row alone agrees.
  final func noteHolding() {
    guard changes != nil else { return }
    for place in layout.relationshipPlaces where isOneToOne(place) {
      let slot = layout.slots[place]
      if holds(slot), case .object(let member)? = changes?.values[slot.index] { member.noteHeldPartners() }
    }
  }

  /// Whether a property is an end of a one-to-one relationship. The slot is found by its index, because copying it is expensive.
  private final func isOneToOne(_ place: Int) -> Bool {
    layout.slots[place].kind == .toOne && layout.slots[place].inverse != nil && !layout.slots[place].inverseIsToMany
  }
}
