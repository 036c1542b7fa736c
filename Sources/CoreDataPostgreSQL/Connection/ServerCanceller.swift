#if PostgreSQL
  import CPostgreSQL
  import Foundation
  import Synchronization

  /// Asks the server to stop what a connection runs, from any thread.
  ///
  /// The request is sent over a connection of its own and names no statement, so a request that comes late would stop the
  /// next statement. So it is sent only while a flight runs, and the flight does not end before the request has been
  /// answered.
  final class ServerCanceller: @unchecked Sendable {  // what is not atomic belongs to `condition`
    private let request: UnsafeMutableRawPointer?  // freed in `deinit`
    private let condition = NSCondition()
    private var isRunning = false
    private var isSending = false
    /// Read without the lock, since every flight reads it each time before it waits.
    private let isAskedFor = Atomic<Bool>(false)

    /// The connection must be open.
    init(_ connection: OpaquePointer) { request = cpostgresql_cancel_create(connection) }

    deinit { if let request { cpostgresql_cancel_free(request) } }

    /// Notes that a flight begins.
    func begin() {
      condition.withLock {
        isRunning = true
        isAskedFor.store(false, ordering: .releasing)
      }
    }

    /// Notes that a flight has ended.
    /// - Parameter waits: false if the connection is lost, since a request can stop nothing then.
    /// - Returns: false if a request is still being sent and does not come to an end. The connection cannot be used again
    ///   then.
    func end(waits: Bool = true) -> Bool {
      condition.withLock {
        isRunning = false
        guard waits else { return true }
        let limit = Date(timeIntervalSinceNow: 5)
        while isSending { if !condition.wait(until: limit) { return !isSending } }
        return true
      }
    }

    /// Whether a thread has asked for the flight to be stopped. The first request may have come before the server had begun
    /// with the statement, so it may have to be sent again.
    var wasAsked: Bool { isAskedFor.load(ordering: .acquiring) }

    /// Sends a request if a flight runs and no other request is being sent, and waits until the server has passed it on.
    func send() {
      let isMine = condition.withLock {
        guard isRunning, request != nil else { return false }
        isAskedFor.store(true, ordering: .releasing)
        if isSending { return false }
        isSending = true
        return true
      }
      guard isMine, let request else { return }
      _ = cpostgresql_cancel_send(request)
      condition.withLock {
        isSending = false
        condition.broadcast()
      }
    }

    /// Sends a request from a thread of its own, because the network may make it wait.
    func sendInBackground() { Thread.detachNewThread { self.send() } }
  }
#endif
