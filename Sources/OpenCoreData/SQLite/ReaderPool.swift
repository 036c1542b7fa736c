import CSQLite
import Dispatch
import Foundation

/// The connections that read, beside the one that writes.
///
/// A context that reads holds one with an open transaction (`ReadLease`). Idle leases are taken back, so that the
/// write-ahead log can be checkpointed, and at once when another context needs a connection and all are out.
final class ReaderPool: @unchecked Sendable {  // everything belongs to `condition`
  private let condition = NSCondition()
  private let open: () throws -> SQLiteConnection
  private let limit: Int
  private var idle: [SQLiteConnection] = []
  private var openCount = 0
  private var leases: [ObjectIdentifier: WeakLease] = [:]
  private var reaperIsSet = false
  private var isClosed = false
  /// How long a lease may sit unused.
  static let idleNanoseconds: UInt64 = 50_000_000

  private struct WeakLease { weak var lease: ReadLease? }

  init(limit: Int, open: @escaping () throws -> SQLiteConnection) {
    self.limit = limit
    self.open = open
  }

  /// A connection without a transaction for `lease`; waits for one when all are in use at this moment.
  func take(for lease: ReadLease, timeout: TimeInterval) throws -> SQLiteConnection {
    let deadline = Date(timeIntervalSinceNow: timeout)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let connection = idle.popLast() {
        register(lease)
        return connection
      }
      if openCount < limit {
        openCount += 1
        do {
          let connection = try open()
          register(lease)
          return connection
        } catch {
          openCount -= 1
          throw error
        }
      }
      let others = leases.values.compactMap(\.lease).filter { $0 !== lease }
      condition.unlock()
      let taken = others.lazy.compactMap { $0.surrenderIfUnused(for: 0) }.first
      condition.lock()
      if let taken {
        register(lease)
        return taken
      }
      guard condition.wait(until: min(deadline, Date(timeIntervalSinceNow: 0.005))) || Date() < deadline else {
        throw NSError(
          coreData: NSPersistentStoreTimeoutError, "No connection for reading became free within \(timeout) seconds.")
      }
    }
  }

  /// Takes a connection back whose transaction has ended.
  func give(_ connection: SQLiteConnection, from lease: ReadLease) {
    condition.lock()
    leases[ObjectIdentifier(lease)] = nil
    if isClosed { openCount -= 1 } else { idle.append(connection) }
    condition.signal()
    condition.unlock()
  }

  /// Ends every lease that nobody is using right now.
  func takeBackIdle(longerThan nanoseconds: UInt64 = 0) {
    condition.lock()
    let all = leases.values.compactMap(\.lease)
    condition.unlock()
    for lease in all {
      if let connection = lease.surrenderIfUnused(for: nanoseconds) { give(connection, from: lease) }
    }
  }

  /// Closes the connections that are here, and the others as they come back.
  func close() {
    takeBackIdle()
    condition.lock()
    isClosed = true
    openCount -= idle.count
    idle = []
    condition.unlock()
  }

  private func register(_ lease: ReadLease) {
    leases[ObjectIdentifier(lease)] = WeakLease(lease: lease)
    guard !reaperIsSet else { return }
    reaperIsSet = true
    setReaper()
  }

  private func setReaper() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(60)) { [weak self] in self?.reap() }
  }

  private func reap() {
    takeBackIdle(longerThan: Self.idleNanoseconds)
    condition.lock()
    defer { condition.unlock() }
    leases = leases.filter { $0.value.lease != nil }
    reaperIsSet = !leases.isEmpty && !isClosed
    if reaperIsSet { setReaper() }
  }
}
