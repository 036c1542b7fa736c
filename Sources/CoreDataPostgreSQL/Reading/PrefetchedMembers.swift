#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The members of relationships that a fetch has read together with its objects. Two key paths may ask for the
  /// members of the same relationship, so the members are kept until the transaction ends.
  struct PrefetchedMembers {
    /// The transaction's moment at which they were read; the transaction may have been begun again after it.
    let moment: UInt64
    var members: [RelationID: [Int64: KeyArray]] = [:]
  }

  extension ServerReadTransaction {
    /// Returns the members of a relationship that were read ahead; nil if those of an owner were not, or were read at
    /// another moment.
    func prefetchedMembers(_ id: RelationID, of owners: ContiguousArray<Int64>) -> [Int64: KeyArray]? {
      guard let prefetched, prefetched.moment == moment, let known = prefetched.members[id],
        owners.allSatisfy({ known[$0] != nil })
      else { return nil }
      return known
    }
  }
#endif
