#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The members of relationships that a fetch has read together with its objects. They stay until the transaction ends,
  /// because two key paths may ask for the members of one relationship.
  struct PrefetchedMembers {
    /// The state of the store in which the members were read. The transaction may have begun again since then.
    let moment: UInt64
    var members: [RelationID: [Int64: KeyArray]] = [:]
  }

  extension ServerReadTransaction {
    /// Returns the members of a relationship that were read ahead. Returns nil if the members of some owner were not read, or
    /// were read in another state of the store.
    func prefetchedMembers(_ id: RelationID, of owners: ContiguousArray<Int64>) -> [Int64: KeyArray]? {
      guard let prefetched, prefetched.moment == moment, let known = prefetched.members[id],
        owners.allSatisfy({ known[$0] != nil })
      else { return nil }
      return known
    }
  }
#endif
