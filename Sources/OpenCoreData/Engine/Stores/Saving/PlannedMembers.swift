/// The members that a save adds to a to-many relationship and removes from it, by keys. New objects have temporary keys.
package struct PlannedMembers {
  package let owner: Int64
  package let layout: EntityLayout
  package let slot: PropertySlot
  package let removed: ContiguousArray<Int64>
  package let added: ContiguousArray<Int64>
}

/// A change in the order of a to-many relationship's members.
package struct PlannedOrder {
  package enum Change {
    /// The members come behind all others.
    case append(ContiguousArray<Int64>)
    /// All members are known. Those in `runs` of positions were put there, and the others keep their order; nil if the whole
    /// order may have changed.
    case arrange(ContiguousArray<Int64>, runs: [Range<Int>]?)
  }

  package let owner: Int64
  package let layout: EntityLayout
  package let slot: PropertySlot
  package let change: Change
}
