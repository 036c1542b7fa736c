import OpenCoreData

extension StoreReader {
  /// Returns transactions of the history, the latest first; none if the store keeps no history.
  /// - Parameters:
  ///   - limit: The largest number; 0 for all.
  ///   - before: Only transactions before the one with this number are returned: the last one of a page, for the next page.
  ///   - changeLimit: The largest number of changes that are read of each transaction.
  public func history(
    limit: Int, before: Int64? = nil, changeLimit: Int = 100
  ) throws -> [StoreTransaction] {
    try asking { store in
      try store.history(InspectedHistoryRange(limit: limit, before: before, changeLimit: changeLimit))
        .map(StoreTransaction.init)
    }
  }

  /// Returns the transactions that have changed an object, the latest first, with only their changes of this object.
  /// - Parameters:
  ///   - object: The object, by its own entity.
  ///   - limit: The largest number; 0 for all.
  public func history(of object: ObjectReference, limit: Int = 0) throws -> [StoreTransaction] {
    try asking { store in
      try store.history(InspectedHistoryRange(limit: limit, object: object.inspected, changeLimit: 100))
        .map(StoreTransaction.init)
    }
  }
}
