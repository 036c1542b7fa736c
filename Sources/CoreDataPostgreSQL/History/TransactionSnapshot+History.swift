#if PostgreSQL
  @_spi(Store) import OpenCoreData

  extension TransactionSnapshot {
    /// A snapshot that sees no transaction.
    static let empty: TransactionSnapshot = {
      guard let empty = TransactionSnapshot(xmin: 1, xmax: 1, inProgress: []) else {
        preconditionFailure("A snapshot without transactions is one that the server has, too.")
      }
      return empty
    }()

    /// Returns the place right after a transaction. It is for a reader that gets the transactions which this snapshot
    /// sees and `known` does not, in the order of their numbers: the place sees what the reader knew before, and the
    /// transactions that it has got so far.
    ///
    /// A commit that `known` does not see may have a smaller number than other commits that it sees. These other
    /// commits stay visible; otherwise they would be reported twice.
    func place(after transaction: UInt64, known: TransactionSnapshot = .empty) -> TransactionSnapshot {
      let xmax = max(known.xmax, transaction + 1)
      let hidden = inProgress.prefix { $0 <= transaction } + known.inProgress.drop { $0 <= transaction }
      guard let place = TransactionSnapshot(xmin: hidden.first ?? xmax, xmax: xmax, inProgress: Array(hidden)) else {
        preconditionFailure("The place after \(transaction) in \(self), with \(known) known, is no snapshot.")
      }
      return place
    }
  }

  extension ServerType {
    static let xid: UInt32 = 5069
  }
#endif
