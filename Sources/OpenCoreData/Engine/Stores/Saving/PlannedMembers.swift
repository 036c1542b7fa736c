/// The members that a save adds to a to-many relationship and removes from it, by keys; new objects have temporary keys.
package struct PlannedMembers {
  package let owner: Int64
  package let layout: EntityLayout
  package let slot: PropertySlot
  package let removed: ContiguousArray<Int64>
  package let added: ContiguousArray<Int64>
}

/// The change that a save makes to the order of a to-many relationship's members.
package struct PlannedOrder {
  package enum Change {
    /// The members come behind all others.
    case append(ContiguousArray<Int64>)
    /// All members in their new order. The members at the positions in `runs` were placed there, and the others keep their
    /// order; nil if the whole order may have changed.
    case arrange(ContiguousArray<Int64>, runs: [Range<Int>]?)
  }

  package let owner: Int64
  package let layout: EntityLayout
  package let slot: PropertySlot
  package let change: Change
}
