import Foundation

/// A place in the history of one store.
package enum HistoryPlace: Hashable, Sendable {
  /// Right after the transaction with that number, in a store that numbers its transactions as it commits them.
  case number(Int64)
  /// After all transactions that a snapshot of a server sees, and before all others. Transactions of a server may be
  /// committed in another order than that of their numbers.
  ///
  /// The server's identifier is part of the place: in a copy on another server the numbers mean other transactions.
  case snapshot(TransactionSnapshot, server: Int64)

  /// The number that stands for the place where only numbers can be compared: that of the latest transaction before it.
  package var latestTransaction: Int64 {
    switch self {
    case .number(let number): number
    case .snapshot(let snapshot, _): Int64(clamping: snapshot.xmax - 1)
    }
  }

  /// Reads a value that `archived` has given; nil for anything else.
  package init?(archived value: Any) {
    if let number = value as? NSNumber {
      self = .number(number.int64Value)
      return
    }
    // The snapshot as the server writes it, then the server: `10:20:10,14,15@7312345678901234567`.
    guard let parts = (value as? String)?.split(separator: "@", omittingEmptySubsequences: false), parts.count == 2,
      let snapshot = TransactionSnapshot(String(parts[0])), let server = Int64(parts[1])
    else { return nil }
    self = .snapshot(snapshot, server: server)
  }

  /// The place as a value of a property list.
  package var archived: Any {
    switch self {
    case .number(let number): NSNumber(value: number)
    case .snapshot: description
    }
  }
}

extension HistoryPlace: CustomStringConvertible {
  package var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .snapshot(let snapshot, let server): "\(snapshot)@\(server)"
    }
  }
}
