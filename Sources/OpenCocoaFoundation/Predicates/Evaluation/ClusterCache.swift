import Foundation

/// The folded forms of short pieces of text, such as a letter and its combining accent. Every access to the entries holds the lock.
final class ClusterCache: @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [ScalarFolding.Entry: ScalarFolding.Entry] = [:]
  private static let capacity = 4096

  /// Returns the folded form of a piece; nil if it is not known.
  func folded(_ piece: ScalarFolding.Entry) -> ScalarFolding.Entry? {
    lock.withLock { entries[piece] }
  }

  func keep(_ folded: ScalarFolding.Entry, of piece: ScalarFolding.Entry) {
    lock.withLock {
      if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
      entries[piece] = folded
    }
  }
}
