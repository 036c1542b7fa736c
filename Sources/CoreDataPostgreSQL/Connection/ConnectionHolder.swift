#if PostgreSQL
  /// An object that has taken a connection from a pool, and may keep the connection while it does not use it.
  protocol ConnectionHolder: AnyObject, Sendable {
    /// Ends its transaction and hands the connection over, if the connection has not been used for that time. Returns nil
    /// while the connection is in use, or if the holder has none. A connection that is handed over is not given to the pool
    /// as well.
    func surrender(ifUnusedFor time: Duration) -> ServerConnection?

    /// Returns the holder while it exists. A pool keeps this closure instead of the holder.
    ///
    /// A weak reference of Swift's would make each later counting of references to the holder slow.
    var weakly: @Sendable () -> (any ConnectionHolder)? { get }
  }

  /// No connection became free before the deadline.
  struct PoolTimeout: Error {
    /// The largest number of connections that the pool may have.
    let limit: Int
  }

  /// The pool was closed, and gives no connections any more.
  struct PoolClosed: Error {}
#endif
