import Foundation

/// The part of a snapshot before its values. It is four words long, since there may be millions of rows.
@_spi(Store) public struct SnapshotHeader {
  /// Z_PK; for a new object a number below 1 until its save has a key for it.
  package var primaryKey: Int64
  /// The row's own entity, which may be a subentity of the one that was asked for.
  package unowned(unsafe) let layout: EntityLayout
  /// The coordinator's commit that the row was read at, in the upper 48 bits, and the number of slots in the lower 16.
  package var commitAndSlots: UInt64
  /// Z_OPT; `.max` for a version that does not fit here, which the rarities then have.
  package var shortVersion: UInt32
  /// The number of words with bytes that follow the slots, in the lower 31 bits; the top bit says whether rarities come
  /// behind them.
  package let tail: UInt32

  package static let hasRarities: UInt32 = 1 << 31

  package init(
    primaryKey: Int64, version: Int64, layout: EntityLayout, commit: UInt64, slots: Int, tailWords: Int,
    hasRarities: Bool
  ) {
    self.primaryKey = primaryKey
    self.layout = layout
    commitAndSlots = UInt64(slots)
    shortVersion = UInt32(exactly: version) ?? .max
    tail = UInt32(tailWords) | (hasRarities ? Self.hasRarities : 0)
    self.commit = commit
  }

  @inline(__always)
  package var slotCount: Int { Int(commitAndSlots & 0xffff) }

  @inline(__always)
  package var tailWords: Int { Int(tail & ~Self.hasRarities) }

  @inline(__always)
  package var commit: UInt64 {
    get { commitAndSlots >> 16 }
    // 48 bits are enough for the commits of any process.
    set { commitAndSlots = min(newValue, 1 << 48 - 1) << 16 | commitAndSlots & 0xffff }
  }
}

/// Values that few rows have.
package final class SnapshotRarities {
  package let version: Int64
  /// Binary values of more than `Snapshot.inlineLimit` bytes.
  package fileprivate(set) var blobs: [SnapshotBlob]
  /// Values in files that could not be read with the row, by slot; the slot itself holds null.
  package let unread: [(slot: Int, value: UnreadValue)]

  package init(version: Int64, blobs: [SnapshotBlob], unread: [(slot: Int, value: UnreadValue)]) {
    self.version = version
    self.blobs = blobs
    self.unread = unread
  }

  /// Exchanges a value. The row is not shared yet.
  package func replace(_ index: Int, by blob: SnapshotBlob) { blobs[index] = blob }
}
