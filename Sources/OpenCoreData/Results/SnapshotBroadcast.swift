import Foundation
import Synchronization

/// The sequences of snapshots that a controller feeds.
final class SnapshotBroadcast: Sendable {
  private typealias Continuation = AsyncStream<NSDiffableDataSourceSnapshotReference>.Continuation
  private let listeners = Mutex<(next: Int, all: [Int: Continuation])>((0, [:]))

  var isEmpty: Bool { listeners.withLock { $0.all.isEmpty } }

  /// Makes a sequence that begins with `first`. A slow reader misses snapshots in between, and gets the latest.
  func stream(first: NSDiffableDataSourceSnapshotReference?) -> AsyncStream<NSDiffableDataSourceSnapshotReference> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NSDiffableDataSourceSnapshotReference.self, bufferingPolicy: .bufferingNewest(1))
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    if let first { continuation.yield(first) }
    return stream
  }

  private func remove(_ number: Int) { _ = listeners.withLock { $0.all.removeValue(forKey: number) } }

  func send(_ snapshot: NSDiffableDataSourceSnapshotReference) {
    for continuation in listeners.withLock({ Array($0.all.values) }) { continuation.yield(snapshot) }
  }

  func finish() {
    // Called outside the lock, because a sequence that ends calls `remove`, which takes the lock.
    for continuation in listeners.withLock({ Array($0.all.values) }) { continuation.finish() }
  }
}
