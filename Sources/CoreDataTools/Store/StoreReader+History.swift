import OpenCoreData

extension StoreReader {
  /// Transactions of the history, the latest first; none where the store keeps no history.
  /// - Parameters:
  ///   - limit: The largest number; 0 for all.
  ///   - before: Those before the transaction of this number alone: the last one of a page, for the next page.
  ///   - changeLimit: How many changes of each transaction are read at most.
  public func history(
    limit: Int, before: Int64? = nil, changeLimit: Int = 100
  ) throws -> [StoreTransaction] {
    try asking { store in
      try store.history(InspectedHistoryRange(limit: limit, before: before, changeLimit: changeLimit))
        .map(StoreTransaction.init)
    }
  }

  /// The transactions that have changed an object, the latest first, with their changes of this object alone.
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
