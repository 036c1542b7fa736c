/// The transactions that a reader sees on a server with many writers, in the form that the server uses: all below `xmin`,
/// none from `xmax` on, and between the two those that are not in progress.
///
/// Transactions get their numbers in the order in which they begin to write, but they commit in any order. So a single number
/// cannot tell what a reader has seen. Snapshots of one server are ordered by inclusion, because a later snapshot sees
/// everything that an earlier one sees.
package struct TransactionSnapshot: Hashable, Sendable, CustomStringConvertible {
  package let xmin: UInt64
  package let xmax: UInt64
  /// The transactions in progress, ascending, each from `xmin` up to below `xmax`.
  package let inProgress: [UInt64]

  /// - Returns: nil for values that no server gives: bounds of 0 or the wrong way round, numbers out of order or of bounds.
  package init?(xmin: UInt64, xmax: UInt64, inProgress: [UInt64]) {
    guard xmin > 0, xmin <= xmax else { return nil }
    var last: UInt64 = 0
    var distinct: [UInt64] = []
    for transaction in inProgress {
      guard transaction >= xmin, transaction < xmax, transaction >= last else { return nil }
      // The server may name a number twice.
      if transaction != last { distinct.append(transaction) }
      last = transaction
    }
    (self.xmin, self.xmax, self.inProgress) = (xmin, xmax, distinct)
  }

  /// Reads the server's text, such as `10:20:10,14,15`; nil for any other text.
  package init?(_ text: String) {
    // Parsed byte by byte for speed, because every save and every read transaction reads a snapshot.
    var bounds: [UInt64] = [], inProgress: [UInt64] = []
    var number: UInt64?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, isLarger) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        if isTooLarge || isLarger { return nil }
        number = sum
      case UInt8(ascii: ":"):
        guard let bound = number.take(), bounds.count < 2 else { return nil }
        bounds.append(bound)
      case UInt8(ascii: ","):
        guard let transaction = number.take(), bounds.count == 2 else { return nil }
        inProgress.append(transaction)
      default: return nil
      }
    }
    // A number must follow a comma.
    guard bounds.count == 2, number != nil || inProgress.isEmpty else { return nil }
    if let number { inProgress.append(number) }
    self.init(xmin: bounds[0], xmax: bounds[1], inProgress: inProgress)
  }

  /// The server's text.
  package var description: String { "\(xmin):\(xmax):\(inProgress.map(String.init).joined(separator: ","))" }

  /// Whether a reader sees the changes of the transaction, if the transaction has committed.
  package func sees(_ transaction: UInt64) -> Bool {
    if transaction < xmin { return true }
    if transaction >= xmax { return false }
    return !Self.contains(transaction, in: inProgress)
  }

  /// Whether this snapshot sees everything that `other` sees.
  package func includes(_ other: TransactionSnapshot) -> Bool {
    for transaction in inProgress where other.sees(transaction) { return false }
    guard other.xmax > xmax else { return true }
    // All transactions from `xmax` on that `other` could see must be in progress there.
    let later = other.inProgress.count - Self.firstIndex(from: xmax, in: other.inProgress)
    return UInt64(later) == other.xmax - xmax
  }

  private static func contains(_ transaction: UInt64, in sorted: [UInt64]) -> Bool {
    let index = firstIndex(from: transaction, in: sorted)
    return index < sorted.count && sorted[index] == transaction
  }

  /// The index of the first number that is not below `bound`.
  private static func firstIndex(from bound: UInt64, in sorted: [UInt64]) -> Int {
    var low = 0, high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
