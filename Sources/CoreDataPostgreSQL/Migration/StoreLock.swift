#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A transaction in which nobody else can save to a store.
  ///
  /// Every save writes the table `_commit`, and compares the schema's version after that: whoever comes later waits for this
  /// transaction, and is refused if it has changed the schema.
  struct StoreLock {
    let connection: ServerConnection
    private let place: ServerPlace

    init(_ connection: ServerConnection, _ place: ServerPlace) { (self.connection, self.place) = (connection, place) }

    /// Begins the transaction.
    /// - Parameter timeout: how long a lock is waited for, in it, too.
    /// - Throws: 260 where there is no store.
    func take(timeout: TimeInterval) throws {
      guard try takeIfPresent(timeout: timeout) else { throw OpenedServer.missing(place) }
    }

    /// Begins the transaction.
    /// - Returns: whether there is a store; without one nothing is locked.
    func takeIfPresent(timeout: TimeInterval) throws -> Bool {
      try connection.execute("BEGIN")
      // What a client may set for its requests is no limit for this.
      try connection.execute([
        "SET LOCAL lock_timeout = \(Int(max(1, timeout * 1000)))", "SET LOCAL statement_timeout = 0",
        "SET LOCAL synchronous_commit = on",
      ])
      guard try connection.integer("SELECT count(*) FROM pg_class WHERE oid = to_regclass('\"_store\"')") == 1 else {
        return false
      }
      try connection.execute([
        "SELECT 1 FROM \"_store\" FOR UPDATE", "LOCK TABLE \"_commit\" IN SHARE ROW EXCLUSIVE MODE",
      ])
      return true
    }

    /// What the store says about itself, which cannot change any more.
    func storeRow() throws -> StoreRow {
      guard let row = try StoreRow.read(connection, place: place.display) else { throw OpenedServer.missing(place) }
      return row
    }

    /// Runs `body`, and again after longer and longer pauses while locks of others are in its way: those who come after it
    /// queue up behind a lock that it waits for.
    /// - Parameter body: is given how many seconds it may wait for a lock. What it has done is undone where it throws.
    /// - Throws: 134090 if locks are still in its way at the end.
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
    /// Replaces the row by this one.
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
