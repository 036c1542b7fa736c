#if PostgreSQL
  @testable import CoreDataPostgreSQL

  extension ServerStore {
    /// Lets the store send nothing to the server but what a test asks for, whose messages and round trips are counted: neither
    /// the thread that takes back connections which rest, and ends their transactions, nor the attendant.
    func sendNothingByItself() {
      _ = attendant.stop()
      for pool in [readers, writers] { pool.reaper.stop() }
    }
  }
#endif
