#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The work that a store does from time to time for its own cache, and for the tables that all programs share.
  extension ServerStore {
    /// The number of transactions that one flight deletes, so that it does not hold locks for long.
    private static let sweepLimit: Int64 = 5000

    /// Writes down the snapshot of the store's cache, and deletes rows that no program needs.
    /// - Returns: the number of transactions that were deleted.
    @discardableResult
    func tidy(_ upkeep: Upkeep = Upkeep()) throws -> Int {
      var flight = Flight()
      flight.add(Self.beginWriting)
      let lease = freshness.beginLease()
      var wasThere = false
      if let lease {
        var values = ServerValues()
        values.append(attendant.reader)
        values.append(snapshot: lease.snapshot)
        flight.add(Upkeep.renewal, values) { wasThere = $0.affectedRows > 0 }
        flight.add(Upkeep.entry, values)
      }
      flight.add(Upkeep.dropping, Upkeep.value(upkeep.silence))
      flight.add(Upkeep.marking, Upkeep.value(upkeep.horizonStep))
      flight.add(Upkeep.unmarking, Upkeep.value(upkeep.minimumAge))
      flight.add(Self.commitWriting)
      try withWriter(retrying: false) { try $0.run(flight) }
      if let lease { freshness.endLease(lease, wasThere: wasThere) }
      return try sweep(upkeep)
    }

    private func sweep(_ upkeep: Upkeep) throws -> Int {
      var count = 0, last: Int64 = 0
      repeat {
        var flight = Flight()
        flight.add(Upkeep.sweep, upkeep.sweepValues(limit: Self.sweepLimit)) { last = $0.int64(0, 0) }
        try withWriter(retrying: false) { try $0.run(flight) }
        count += Int(last)
      } while last == Self.sweepLimit && isOpen
      return count
    }
  }
#endif
