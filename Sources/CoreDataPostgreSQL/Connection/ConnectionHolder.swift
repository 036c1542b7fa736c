#if PostgreSQL
  /// Who has taken a connection of a pool, and may have it for longer than it is used.
  protocol ConnectionHolder: AnyObject, Sendable {
    /// Ends its transaction and hands the connection over, if it was not used for so long; nil while it is in use, or if it
    /// has none. What is handed over is not given to the pool besides.
    func surrender(ifUnusedFor time: Duration) -> ServerConnection?

    /// Gives the holder as long as it is there; a pool keeps this, and not the holder.
    ///
    /// A weak reference of Swift's would make each later counting of references to the holder slow.
    var weakly: @Sendable () -> (any ConnectionHolder)? { get }
  }

  /// No connection became free in time.
  struct PoolTimeout: Error {
    /// How many there may be.
    let limit: Int
  }

  /// The pool gives no connections any more.
  struct PoolClosed: Error {}
#endif
