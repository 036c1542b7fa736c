/// The state that a transaction sees on a server with many writers.
package enum ServerState: Hashable, Sendable {
  case snapshot(TransactionSnapshot)
  /// For servers without snapshots: a counter that every save increments as its last step, so that saves commit in the
  /// counter's order.
  case version(Int64)

  /// Whether everything that `other` sees is seen. Of two states of one server one includes the other.
  package func includes(_ other: ServerState) -> Bool {
    switch (self, other) {
    case (.snapshot(let own), .snapshot(let other)): own.includes(other)
    case (.version(let own), .version(let other)): own >= other
    default: false
    }
  }

  /// Whether the changes of the transaction are seen; nil where states do not tell.
  package func sees(_ transaction: UInt64) -> Bool? {
    if case .snapshot(let snapshot) = self { snapshot.sees(transaction) } else { nil }
  }
}
