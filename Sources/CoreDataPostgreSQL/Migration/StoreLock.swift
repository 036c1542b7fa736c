#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A transaction during which no other program can save to a store.
  ///
  /// Every save first writes the table `_commit`, and then compares the version of the schema. A save that comes later waits
  /// for this transaction, and is refused if the transaction has changed the schema.
  struct StoreLock {
    let connection: ServerConnection
    private let place: ServerPlace

    init(_ connection: ServerConnection, _ place: ServerPlace) { (self.connection, self.place) = (connection, place) }

    /// Begins the transaction.
    /// - Parameter timeout: the seconds to wait for a lock, also later in the transaction.
    /// - Throws: 260 if there is no store.
    func take(timeout: TimeInterval) throws {
      guard try takeIfPresent(timeout: timeout) else { throw OpenedServer.missing(place) }
    }

    /// Begins the transaction.
    /// - Returns: whether there is a store. Without one nothing is locked.
    func takeIfPresent(timeout: TimeInterval) throws -> Bool {
      try connection.execute("BEGIN")
      // Limits that a client sets for its requests do not apply to this transaction.
      try connection.execute([
        "SET LOCAL lock_timeout = \(Int(max(1, timeout * 1000)))", "SET LOCAL statement_timeout = 0",
        "SET LOCAL synchronous_commit = on",
      ])
      guard try StoreRow.isThere(connection, place: place.display) else { return false }
      try connection.execute([
        "SELECT 1 FROM \"_store\" FOR UPDATE", "LOCK TABLE \"_commit\" IN SHARE ROW EXCLUSIVE MODE",
      ])
      return true
    }

    /// The row `_store`, which cannot change any more.
    func storeRow() throws -> StoreRow {
      guard let row = try StoreRow.read(connection, place: place.display) else { throw OpenedServer.missing(place) }
      return row
    }

    /// Runs `body`, and runs it again after pauses that get longer as long as locks of others prevent it. It does not wait in
    /// one piece, because other programs queue up behind a lock that it waits for.
    /// - Parameter body: is given the number of seconds that it may wait for a lock. Its work is undone if it throws.
    /// - Throws: 134090 if locks of others still prevent it at the end.
    static func retrying<Result>(timeout: TimeInterval, _ body: (TimeInterval) throws -> Result) throws -> Result {
      let end = ContinuousClock.now + .seconds(timeout)
      var pause = 0.05
      while true {
        do {
          return try body(min(5, timeout))
        } catch let error as ServerError where ["55P03", "40P01", "40001"].contains(error.sqlState) {
          guard ContinuousClock.now + .seconds(pause) < end else { throw error }
          Thread.sleep(forTimeInterval: pause * Double.random(in: 0.75...1.25))
          pause = min(5, pause * 2)
        }
      }
    }
  }

  extension StoreRow {
    /// Writes this row in place of the store's present row.
    func replace(_ connection: ServerConnection) throws {
      var values = ServerValues(), flight = Flight()
      values.append(metadata.identifier)
      values.append(try Self.encoded(metadata))
      values.append(version)
      values.append(model)
      flight.add(
        ServerStatement(
          "UPDATE \"_store\" SET uuid = $1, metadata = $2, version = $3, model = $4",
          types: [ServerType.text, ServerType.bytes, ServerType.int64, ServerType.bytes], isPrepared: false), values)
      try connection.run(flight)
    }
  }
#endif
