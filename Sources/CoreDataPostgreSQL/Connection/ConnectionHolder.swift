#if PostgreSQL
  /// An object that has taken a connection of a pool, and may keep the connection for longer than it uses it.
  protocol ConnectionHolder: AnyObject, Sendable {
    /// Ends the holder's transaction and hands the connection over, if the holder has not used the connection for this
    /// time. Returns nil while the connection is in use, or if the holder has no connection. The holder does not give
    /// the pool a connection that it has handed over.
    func surrender(ifUnusedFor time: Duration) -> ServerConnection?

    /// Returns the holder while it exists. A pool keeps this closure, and not the holder.
    ///
    /// A weak reference of Swift would make each later reference count of the holder slow.
    var weakly: @Sendable () -> (any ConnectionHolder)? { get }
  }

  /// The error that no connection became free in time.
  struct PoolTimeout: Error {
    /// How many connections the pool may have.
    let limit: Int
  }

  /// The error that the pool is closed and gives no more connections.
  struct PoolClosed: Error {}
#endif
