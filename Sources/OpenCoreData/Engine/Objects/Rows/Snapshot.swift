import Foundation

/// One row as it was read: an immutable, packed allocation that all contexts share.
///
/// The elements are a null bitmap, one 8-byte slot per value, and a tail of bytes; some rows have a reference to rarities
/// behind the tail. A text or blob slot holds the offset of its bytes in the upper and their count in the lower half. A
/// parent entity's slots are a prefix of its subentities'.
@_spi(Store) public final class Snapshot: ManagedBuffer<SnapshotHeader, UInt64> {
  /// Longer binary values are kept out of the packed allocation.
  package static let inlineLimit = 4096
  private static let blobMark: UInt64 = 1 << 63

  @inline(__always)
  package static func nullWords(_ slots: Int) -> Int { (slots + 63) >> 6 }

  package static func make(
    primaryKey: Int64, version: Int64, layout: EntityLayout, commit: UInt64, scratch: borrowing SnapshotScratch
  ) -> Snapshot {
    let slots = scratch.slotCount, nulls = nullWords(slots), tailWords = (scratch.tailCount + 7) >> 3
    let isRare = scratch.hasRarities || UInt32(exactly: version).map { $0 == .max } ?? true
    let buffer = Snapshot.create(minimumCapacity: nulls + slots + tailWords + (isRare ? 1 : 0)) { _ in
      SnapshotHeader(
        primaryKey: primaryKey, version: version, layout: layout, commit: commit, slots: slots, tailWords: tailWords,
        hasRarities: isRare)
    }
    buffer.withUnsafeMutablePointerToElements { elements in
      elements.update(from: scratch.nulls, count: nulls)
      (elements + nulls).update(from: scratch.slots, count: slots)
      let tail = elements + nulls + slots
      UnsafeMutableRawPointer(tail).copyMemory(from: scratch.tail, byteCount: scratch.tailCount)
      if isRare {
        let rarities = Unmanaged.passRetained(
          SnapshotRarities(version: version, blobs: scratch.blobs, unread: scratch.unread))
        tail[tailWords] = UInt64(UInt(bitPattern: rarities.toOpaque()))
      }
    }
    return unsafeDowncast(buffer, to: Snapshot.self)
  }

  deinit { rarities?.release() }

  /// Values that few rows have, at the very end.
  private var rarities: Unmanaged<SnapshotRarities>? {
    withUnsafeMutablePointers { header, elements in
      if header.pointee.tail & SnapshotHeader.hasRarities == 0 { return nil }
      let word = elements[wordCount(header.pointee)]
      return UnsafeRawPointer(bitPattern: UInt(word)).map { Unmanaged.fromOpaque($0) }
    }
  }

  /// The words before the rarities.
  @inline(__always)
  private func wordCount(_ header: SnapshotHeader) -> Int {
    Self.nullWords(header.slotCount) + header.slotCount + header.tailWords
  }

  /// The same row with other numbers in some slots, none of which is null.
  package func copy(setting values: [(slot: Int, value: Int64)]) -> Snapshot {
    let old = header, words = wordCount(old), rarities = rarities
    let buffer = Snapshot.create(minimumCapacity: words + (rarities == nil ? 0 : 1)) { _ in old }
    buffer.withUnsafeMutablePointerToElements { elements in
      withUnsafeMutablePointerToElements { elements.update(from: $0, count: words) }
      if let rarities { elements[words] = UInt64(UInt(bitPattern: rarities.retain().toOpaque())) }
      for (slot, value) in values { elements[Self.nullWords(old.slotCount) + slot] = UInt64(bitPattern: value) }
    }
    return unsafeDowncast(buffer, to: Snapshot.self)
  }

  /// Replaces the word of a slot. The row is not shared yet.
  @inline(__always)
  package func put(_ bits: UInt64, isNull: Bool, at slot: Int) {
    withUnsafeMutablePointers { header, elements in
      precondition(slot >= 0 && slot < header.pointee.slotCount)
      let bit: UInt64 = 1 << UInt64(slot & 63)
      if isNull { elements[slot >> 6] |= bit } else { elements[slot >> 6] &= ~bit }
      elements[Self.nullWords(header.pointee.slotCount) + slot] = bits
    }
  }

  // Through the pointer: `header` would copy the whole header.
  @inline(__always) package var primaryKey: Int64 { withUnsafeMutablePointerToHeader { $0.pointee.primaryKey } }
  @inline(__always) package var version: Int64 {
    let short = withUnsafeMutablePointerToHeader { $0.pointee.shortVersion }
    return short == .max ? longVersion : Int64(short)
  }
  @inline(__always) package var layout: EntityLayout { withUnsafeMutablePointerToHeader { $0.pointee.layout } }
  @inline(__always) package var commit: UInt64 { withUnsafeMutablePointerToHeader { $0.pointee.commit } }

  private var longVersion: Int64 { rarities?._withUnsafeGuaranteedRef { $0.version } ?? Int64(UInt32.max) }

  private var blobs: [SnapshotBlob] { rarities?._withUnsafeGuaranteedRef { $0.blobs } ?? [] }

  /// Whether the row has the slots of the object's entity. The two differ where a damaged file names two entities for
  /// one row.
  @inline(__always)
  package func fits(_ object: NSManagedObject) -> Bool {
    layout === object.layout || layout.entity.isKindOf(entity: object.layout.entity)
  }

  /// Gives a new row its key. The row is not shared yet.
  package func take(key: Int64) { withUnsafeMutablePointerToHeader { $0.pointee.primaryKey = key } }

  /// Exchanges a value that is out of line. The row is not shared yet.
  package func replaceBlob(_ slot: Int, by blob: SnapshotBlob) {
    let word = bits(slot)
    precondition(word & Self.blobMark != 0)
    rarities?._withUnsafeGuaranteedRef { $0.replace(Int(word & ~Self.blobMark), by: blob) }
  }

  /// Sets the commit of a row that was read in the transaction that wrote it. The row is not shared yet.
  package func date(_ commit: UInt64) { withUnsafeMutablePointerToHeader { $0.pointee.commit = commit } }

  /// The bytes of this allocation and of the values out of line, for the row cache's bound.
  package var byteCost: Int {
    withUnsafeMutablePointerToHeader { header in
      // The sum includes what the allocator adds.
      let inline = 64 + wordCount(header.pointee) * 8
      return blobs.isEmpty ? inline : blobs.reduce(inline) { $0 + $1.cost }
    }
  }

  @inline(__always)
  package func isNull(_ slot: Int) -> Bool {
    withUnsafeMutablePointers { header, elements in
      slot >= header.pointee.slotCount || elements[slot >> 6] & (1 << UInt64(slot & 63)) != 0
    }
  }

  @inline(__always)
  package func bits(_ slot: Int) -> UInt64 {
    withUnsafeMutablePointers { header, elements in
      elements[Self.nullWords(header.pointee.slotCount) + slot]
    }
  }

  @inline(__always)
  package func int(_ slot: Int) -> Int64 { Int64(bitPattern: bits(slot)) }

  @inline(__always)
  package func double(_ slot: Int) -> Double { Double(bitPattern: bits(slot)) }

  /// The bytes of a text or inline binary slot; nil when they are out of line.
  @inline(__always)
  package func withBytes<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeMutablePointers { header, elements in
      let slots = header.pointee.slotCount, nulls = Self.nullWords(slots)
      let word = elements[nulls + slot]
      let start = UnsafeRawPointer(elements + nulls + slots) + Int(word >> 32)
      return body(UnsafeRawBufferPointer(start: start, count: Int(word & 0xffff_ffff)))
    }
  }

  @inline(__always)
  package func string(_ slot: Int) -> String {
    withBytes(slot) { bytes in
      // At least one slot comes before the text, so eight bytes before it are readable.
      SmallString.make(bytes) ?? String(decoding: bytes, as: UTF8.self)
    }
  }

  package func data(_ slot: Int) -> Data {
    let word = bits(slot)
    if word & Self.blobMark != 0 { return blobs[Int(word & ~Self.blobMark)].data }
    return withBytes(slot) { Data($0) }
  }

  /// The value of a binary slot if it is out of line.
  package func blob(_ slot: Int) -> SnapshotBlob? {
    let word = bits(slot)
    return word & Self.blobMark != 0 ? blobs[Int(word & ~Self.blobMark)] : nil
  }

  /// The value of a null slot whose value is in a file that could not be read; else nil.
  package func unread(_ slot: Int) -> UnreadValue? {
    rarities?._withUnsafeGuaranteedRef { rarities in rarities.unread.first { $0.slot == slot }?.value }
  }

  package func decimal(_ slot: Int) -> Decimal {
    withBytes(slot) { $0.loadUnaligned(as: Decimal.self) }
  }

  package func uuid(_ slot: Int) -> UUID? {
    withBytes(slot) { $0.count == 16 ? UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) : nil }
  }

  package static func blobSlot(_ index: Int) -> UInt64 { blobMark | UInt64(index) }
}
