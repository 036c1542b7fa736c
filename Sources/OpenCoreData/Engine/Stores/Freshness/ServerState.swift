/// The state that a transaction sees on a server with many writers.
package enum ServerState: Hashable, Sendable {
  case snapshot(TransactionSnapshot)
  /// For a server without snapshots: a counter that every save increments last, so that saves commit in the counter's order.
  case version(Int64)

  /// Whether this state sees everything that `other` sees. Of two states of one server, one includes the other.
  package func includes(_ other: ServerState) -> Bool {
    switch (self, other) {
    case (.snapshot(let own), .snapshot(let other)): own.includes(other)
    case (.version(let own), .version(let other)): own >= other
    default: false
    }
  }

  /// Whether this state sees the changes of the transaction; nil if the state is a version.
  package func sees(_ transaction: UInt64) -> Bool? {
    if case .snapshot(let snapshot) = self { snapshot.sees(transaction) } else { nil }
  }
}
