/// What a save adds to a to-many relationship and removes from it, by keys; new objects have temporary ones.
package struct PlannedMembers {
  package let owner: Int64
  package let layout: EntityLayout
  package let slot: PropertySlot
  package let removed: ContiguousArray<Int64>
  package let added: ContiguousArray<Int64>
}

/// What a save changes in the order of a to-many relationship's members.
package struct PlannedOrder {
  package enum Change {
    /// They come behind all others.
    case append(ContiguousArray<Int64>)
    /// The members are all known, and those in `runs` of positions were put there among others that keep their order; nil
    /// where the whole order may be another one.
    case arrange(ContiguousArray<Int64>, runs: [Range<Int>]?)
  }

  package let owner: Int64
  package let layout: EntityLayout
  package let slot: PropertySlot
  package let change: Change
}
