import Foundation

/// A place in history at which a part of it begins or ends.
package enum HistoryRange {
  /// A transaction's number; 0 for the beginning.
  case number(Int64)
  /// The transactions that a snapshot of the server with that identifier sees.
  case snapshot(TransactionSnapshot, server: Int64)
  case date(Date)

  /// - Parameter place: nil for the beginning.
  package init(_ place: HistoryPlace?) {
    switch place {
    case nil: self = .number(0)
    case .number(let number): self = .number(number)
    case .snapshot(let snapshot, let server): self = .snapshot(snapshot, server: server)
    }
  }
}
