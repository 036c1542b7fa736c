#if PostgreSQL
  import CPostgreSQL

  /// A notification of a channel to which the session listens with LISTEN.
  struct ServerNotification: Sendable, Equatable {
    let channel: String
    let payload: String
    /// The number of the server process that has sent the notification.
    let process: Int32
  }

  extension ServerConnection {
    /// Returns the notifications that have arrived, including those that arrived during flights. Does not wait.
    func notifications() throws -> [ServerNotification] {
      let handle = try usableHandle()
      guard PQconsumeInput(handle) == 1 else { throw lostWhileIdle(handle) }
      var found: [ServerNotification] = []
      while let notification = PQnotifies(handle) {
        found.append(
          ServerNotification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra),
            process: notification.pointee.be_pid))
        PQfreemem(notification)
      }
      if PQstatus(handle) != CONNECTION_OK { throw lostWhileIdle(handle) }
      return found
    }

    /// Waits for notifications; returns none if the deadline passes.
    func waitForNotification(deadline: ContinuousClock.Instant?) throws -> [ServerNotification] {
      while true {
        let found = try notifications()
        guard found.isEmpty else { return found }
        if ServerSocket.wait(for: socketDescriptor, writing: false, until: deadline).isEmpty { return [] }
      }
    }

    private func lostWhileIdle(_ handle: OpaquePointer) -> ServerError {
      let error = ServerError.lost(handle)
      lose()
      return error
    }
  }
#endif
