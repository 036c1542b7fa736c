@testable import OpenCoreData

/// A server that many processes write to, as far as freshness goes: transactions get their numbers when they first
/// write, lock what they write, and commit in any order or not at all. Its snapshots are made as PostgreSQL makes them.
struct SimulatedServer: Hashable {
  struct Commit: Hashable {
    let transaction: UInt64
    let keys: ClosedRange<Int>
  }

  private(set) var commits: [Commit] = []
  private var running: [UInt64] = []
  private var next: UInt64 = 10
  private var latestCompleted: UInt64 = 9
  private var locked: [UInt64?]

  init(keys: Int) { locked = Array(repeating: nil, count: keys) }

  func isLocked(_ keys: ClosedRange<Int>) -> Bool { locked[keys].contains { $0 != nil } }

  /// - Returns: the number of the transaction.
  mutating func write(_ keys: ClosedRange<Int>) -> UInt64 {
    defer { next += 1 }
    for key in keys { locked[key] = next }
    running.append(next)
    return next
  }

  mutating func commit(_ transaction: UInt64, _ keys: ClosedRange<Int>) {
    commits.append(Commit(transaction: transaction, keys: keys))
    rollBack(transaction)
  }

  mutating func rollBack(_ transaction: UInt64) {
    running.removeAll { $0 == transaction }
    latestCompleted = max(latestCompleted, transaction)
    for key in locked.indices where locked[key] == transaction { locked[key] = nil }
  }

  /// What a transaction sees that begins now.
  var snapshot: TransactionSnapshot? {
    let xmax = latestCompleted + 1, inProgress = running.filter { $0 < xmax }
    return TransactionSnapshot(xmin: inProgress.first ?? xmax, xmax: xmax, inProgress: inProgress)
  }

  /// Which commit has written a row, as a transaction sees it that sees the first `count` commits; 0 for none.
  func content(_ key: Int, at count: Int) -> Int {
    (commits[..<count].lastIndex { $0.keys.contains(key) } ?? -1) + 1
  }

  /// What a transaction that begins now sees and `earlier` does not.
  func changes(since earlier: TransactionSnapshot) -> [ChangedRow] {
    commits.filter { !earlier.sees($0.transaction) }.flatMap { commit in
      commit.keys.map { ChangedRow(transaction: commit.transaction, root: 0, key: Int64($0)) }
    }
  }
}
