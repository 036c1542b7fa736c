/// What a transaction of a server with many writers sees.
package enum ServerState: Hashable, Sendable {
  case snapshot(TransactionSnapshot)
  /// Where the server has no snapshots: a counter that every save counts up last, so that saves commit in its order.
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
