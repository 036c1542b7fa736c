import Foundation

/// What a snapshot knows about its row, beside the values.
struct SnapshotHeader {
  /// Z_PK.
  let primaryKey: Int64
  /// Z_OPT: 1 on a fresh row, one more with each update.
  let version: Int64
  /// The row's own entity, which may be a subentity of the one that was asked for.
  unowned(unsafe) let layout: EntityLayout
  /// The coordinator's commit that the row was read at.
  fileprivate(set) var commit: UInt64
  let slotCount: Int32
  let tailCount: Int32
  /// Binary values of more than `Snapshot.inlineLimit` bytes.
  let blobs: [SnapshotBlob]
}

/// A binary value that is kept out of a row's packed allocation.
struct SnapshotBlob {
  let data: Data
  /// The bytes that it takes in the process's own memory: none where a file is mapped.
  let cost: Int
}

/// One row as it was read: an immutable, packed allocation that all contexts share.
///
/// The elements are a null bitmap, one 8-byte slot per value, and a tail of bytes. A text or blob slot holds the offset
/// of its bytes in the upper and their count in the lower half. A parent entity's slots are a prefix of its subentities'.
final class Snapshot: ManagedBuffer<SnapshotHeader, UInt64> {
  /// Longer binary values are kept out of the packed allocation.
  static let inlineLimit = 4096
  private static let blobMark: UInt64 = 1 << 63

  @inline(__always)
  static func nullWords(_ slots: Int) -> Int { (slots + 63) >> 6 }

  static func make(
    primaryKey: Int64, version: Int64, layout: EntityLayout, commit: UInt64, scratch: borrowing SnapshotScratch
  ) -> Snapshot {
    let slots = scratch.slotCount, tail = scratch.tailCount, nulls = nullWords(slots)
    // Seven bytes more than the tail has: short strings are read a word at a time.
    let buffer = Snapshot.create(minimumCapacity: nulls + slots + (tail + 14) >> 3) { _ in
      SnapshotHeader(
        primaryKey: primaryKey, version: version, layout: layout, commit: commit, slotCount: Int32(slots),
        tailCount: Int32(tail), blobs: scratch.blobs)
    }
    buffer.withUnsafeMutablePointerToElements { elements in
      elements.update(from: scratch.nulls, count: nulls)
      (elements + nulls).update(from: scratch.slots, count: slots)
      UnsafeMutableRawPointer(elements + nulls + slots).copyMemory(from: scratch.tail, byteCount: tail)
    }
    return unsafeDowncast(buffer, to: Snapshot.self)
  }

  /// The same row with other numbers in some slots, none of which is null.
  func copy(setting values: [(slot: Int, value: Int64)]) -> Snapshot {
    let old = header
    let slots = Int(old.slotCount), nulls = Self.nullWords(slots)
    let words = nulls + slots + (Int(old.tailCount) + 14) >> 3
    let buffer = Snapshot.create(minimumCapacity: words) { _ in old }
    buffer.withUnsafeMutablePointerToElements { elements in
      withUnsafeMutablePointerToElements { elements.update(from: $0, count: words) }
      for (slot, value) in values { elements[nulls + slot] = UInt64(bitPattern: value) }
    }
    return unsafeDowncast(buffer, to: Snapshot.self)
  }

  // Through the pointer: `header` would copy the whole header, references included.
  @inline(__always) var primaryKey: Int64 { withUnsafeMutablePointerToHeader { $0.pointee.primaryKey } }
  @inline(__always) var version: Int64 { withUnsafeMutablePointerToHeader { $0.pointee.version } }
  @inline(__always) var layout: EntityLayout { withUnsafeMutablePointerToHeader { $0.pointee.layout } }
  @inline(__always) var commit: UInt64 { withUnsafeMutablePointerToHeader { $0.pointee.commit } }

  /// Whether the row has the slots of the object's entity. It has not where a damaged file says two things about a row.
  @inline(__always)
  func fits(_ object: NSManagedObject) -> Bool {
    layout === object.layout || layout.entity.isKindOf(entity: object.layout.entity)
  }

  /// Dates a row that was read in the transaction that wrote it, before anybody shares it.
  func date(_ commit: UInt64) { withUnsafeMutablePointerToHeader { $0.pointee.commit = commit } }

  /// Bytes of this allocation and what hangs off it, for the row cache's bound.
  var byteCost: Int {
    withUnsafeMutablePointerToHeader { header in
      let slots = Int(header.pointee.slotCount)
      let inline = 80 + Self.nullWords(slots) * 8 + slots * 8 + Int(header.pointee.tailCount)
      return header.pointee.blobs.isEmpty ? inline : header.pointee.blobs.reduce(inline) { $0 + $1.cost }
    }
  }

  @inline(__always)
  func isNull(_ slot: Int) -> Bool {
    withUnsafeMutablePointers { header, elements in
      slot >= header.pointee.slotCount || elements[slot >> 6] & (1 << UInt64(slot & 63)) != 0
    }
  }

  @inline(__always)
  func bits(_ slot: Int) -> UInt64 {
    withUnsafeMutablePointers { header, elements in
      elements[Self.nullWords(Int(header.pointee.slotCount)) + slot]
    }
  }

  @inline(__always)
  func int(_ slot: Int) -> Int64 { Int64(bitPattern: bits(slot)) }

  @inline(__always)
  func double(_ slot: Int) -> Double { Double(bitPattern: bits(slot)) }

  /// The bytes of a text or inline binary slot; nil when they are out of line.
  @inline(__always)
  func withBytes<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeMutablePointers { header, elements in
      let slots = Int(header.pointee.slotCount), nulls = Self.nullWords(slots)
      let word = elements[nulls + slot]
      let start = UnsafeRawPointer(elements + nulls + slots) + Int(word >> 32)
      return body(UnsafeRawBufferPointer(start: start, count: Int(word & 0xffff_ffff)))
    }
  }

  @inline(__always)
  func string(_ slot: Int) -> String {
    withBytes(slot) { bytes in
      // The tail reaches at least seven bytes beyond the text.
      SmallString.make(bytes) ?? String(decoding: bytes, as: UTF8.self)
    }
  }

  func data(_ slot: Int) -> Data {
    let word = bits(slot)
    if word & Self.blobMark != 0 { return header.blobs[Int(word & ~Self.blobMark)].data }
    return withBytes(slot) { Data($0) }
  }

  /// The value of a binary slot if it is out of line.
  func blob(_ slot: Int) -> SnapshotBlob? {
    let word = bits(slot)
    return word & Self.blobMark != 0 ? header.blobs[Int(word & ~Self.blobMark)] : nil
  }

  func decimal(_ slot: Int) -> Decimal {
    withBytes(slot) { $0.loadUnaligned(as: Decimal.self) }
  }

  func uuid(_ slot: Int) -> UUID? {
    withBytes(slot) { $0.count == 16 ? UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) : nil }
  }

  static func blobSlot(_ index: Int) -> UInt64 { blobMark | UInt64(index) }
}
