#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The members of relationships that a fetch has read together with its objects. Two key paths may ask for those of one
  /// relationship, so that they stay until the transaction ends.
  struct PrefetchedMembers {
    /// The state that they are of; the transaction may have been begun again since.
    let moment: UInt64
    var members: [RelationID: [Int64: KeyArray]] = [:]
  }

  extension ServerReadTransaction {
    /// The members of a relationship that were read ahead; nil where those of an owner were not, or in another state.
    func prefetchedMembers(_ id: RelationID, of owners: ContiguousArray<Int64>) -> [Int64: KeyArray]? {
      guard let prefetched, prefetched.moment == moment, let known = prefetched.members[id],
        owners.allSatisfy({ known[$0] != nil })
      else { return nil }
      return known
    }
  }
#endif
