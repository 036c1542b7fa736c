#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The members of relationships that a fetch has read together with its objects, until they are asked for.
  struct PrefetchedMembers {
    /// The state that they are of; the transaction may have been begun again since.
    let moment: UInt64
    var members: [RelationID: [Int64: KeyArray]] = [:]
  }

  extension ServerReadTransaction {
    /// Takes the members of a relationship that were read ahead; nil where those of an owner were not, or of another state.
    func takePrefetched(_ id: RelationID, of owners: ContiguousArray<Int64>) -> [Int64: KeyArray]? {
      guard let known = prefetched?.members[id] else { return nil }
      prefetched?.members[id] = nil
      guard prefetched?.moment == moment, owners.allSatisfy({ known[$0] != nil }) else { return nil }
      return known
    }
  }
#endif
