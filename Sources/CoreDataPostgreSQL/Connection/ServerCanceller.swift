#if PostgreSQL
  import CPostgreSQL
  import Foundation
  import Synchronization

  /// Asks the server to stop what a connection runs, from any thread.
  ///
  /// The request goes over a connection of its own and names no statement: one that comes late would hit what runs next. So
  /// it is sent only while a flight runs, and the flight does not end before the request has.
  final class ServerCanceller: @unchecked Sendable {  // what is not atomic belongs to `condition`
    private let request: UnsafeMutableRawPointer?  // freed in `deinit`
    private let condition = NSCondition()
    private var isRunning = false
    private var isSending = false
    /// Read without the lock: every flight asks once for each time it waits.
    private let isAskedFor = Atomic<Bool>(false)

    /// The connection must be open.
    init(_ connection: OpaquePointer) { request = cpostgresql_cancel_create(connection) }

    deinit { if let request { cpostgresql_cancel_free(request) } }

    /// A flight begins.
    func begin() {
      condition.withLock {
        isRunning = true
        isAskedFor.store(false, ordering: .releasing)
      }
    }

    /// A flight has ended.
    /// - Parameter waits: false where the connection is gone: then a request can hit nothing any more.
    /// - Returns: false if a request is under way and does not come to an end: the connection cannot be used again.
    func end(waits: Bool = true) -> Bool {
      condition.withLock {
        isRunning = false
        guard waits else { return true }
        let limit = Date(timeIntervalSinceNow: 5)
        while isSending { if !condition.wait(until: limit) { return !isSending } }
        return true
      }
    }

    /// Whether somebody wants the flight to stop. The first request may have come before the server had begun.
    var wasAsked: Bool { isAskedFor.load(ordering: .acquiring) }

    /// Sends a request, if a flight runs and no request is under way, and waits until the server has passed it on.
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

    /// Sends a request from another thread: the network may keep it waiting.
    func sendInBackground() { Thread.detachNewThread { self.send() } }
  }
#endif
