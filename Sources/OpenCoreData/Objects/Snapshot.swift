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
  let commit: UInt64
  let slotCount: Int32
  let tailCount: Int32
  /// Binary values of more than `Snapshot.inlineLimit` bytes.
  let blobs: [Data]
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

  // Through the pointer: `header` would copy the whole header, references included.
  @inline(__always) var primaryKey: Int64 { withUnsafeMutablePointerToHeader { $0.pointee.primaryKey } }
  @inline(__always) var version: Int64 { withUnsafeMutablePointerToHeader { $0.pointee.version } }
  @inline(__always) var layout: EntityLayout { withUnsafeMutablePointerToHeader { $0.pointee.layout } }
  @inline(__always) var commit: UInt64 { withUnsafeMutablePointerToHeader { $0.pointee.commit } }

  /// Bytes of this allocation and what hangs off it, for the row cache's bound.
  var byteCost: Int {
    let header = header
    return 80 + Self.nullWords(Int(header.slotCount)) * 8 + Int(header.slotCount) * 8 + Int(header.tailCount)
      + header.blobs.reduce(0) { $0 + $1.count }
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
    if word & Self.blobMark != 0 { return header.blobs[Int(word & ~Self.blobMark)] }
    return withBytes(slot) { Data($0) }
  }

  func decimal(_ slot: Int) -> Decimal {
    withBytes(slot) { $0.loadUnaligned(as: Decimal.self) }
  }

  func uuid(_ slot: Int) -> UUID? {
    withBytes(slot) { $0.count == 16 ? UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) : nil }
  }

  static func blobSlot(_ index: Int) -> UInt64 { blobMark | UInt64(index) }
}

/// Where a row is put together before its snapshot is allocated in one piece; reused from row to row.
struct SnapshotScratch: ~Copyable {
  private(set) var nulls: UnsafeMutablePointer<UInt64>
  private(set) var slots: UnsafeMutablePointer<UInt64>
  private(set) var tail: UnsafeMutableRawPointer
  private(set) var slotCount = 0
  private(set) var tailCount = 0
  private(set) var blobs: [Data] = []
  private var tailCapacity = 1024
  private var slotCapacity = 0

  init(slots capacity: Int) {
    slotCapacity = max(capacity, 64)
    slots = .allocate(capacity: slotCapacity)
    nulls = .allocate(capacity: Snapshot.nullWords(slotCapacity))
    tail = .allocate(byteCount: tailCapacity, alignment: 8)
  }

  deinit {
    slots.deallocate()
    nulls.deallocate()
    tail.deallocate()
  }

  /// Starts a row of `count` slots, all null.
  @inline(__always)
  mutating func begin(slots count: Int) {
    if count > slotCapacity {
      slots.deallocate()
      nulls.deallocate()
      slotCapacity = count
      slots = .allocate(capacity: count)
      nulls = .allocate(capacity: Snapshot.nullWords(count))
    }
    slotCount = count
    tailCount = 0
    if !blobs.isEmpty { blobs = [] }
    for word in 0..<Snapshot.nullWords(count) { nulls[word] = ~0 }
    slots.update(repeating: 0, count: count)
  }

  @inline(__always)
  mutating func set(_ slot: Int, bits: UInt64) {
    slots[slot] = bits
    nulls[slot >> 6] &= ~(1 << UInt64(slot & 63))
  }

  @inline(__always)
  mutating func set(_ slot: Int, int value: Int64) { set(slot, bits: UInt64(bitPattern: value)) }

  @inline(__always)
  mutating func set(_ slot: Int, double value: Double) { set(slot, bits: value.bitPattern) }

  mutating func set(_ slot: Int, bytes: UnsafeRawBufferPointer) {
    let start = tailCount
    reserve(bytes.count)
    if let base = bytes.baseAddress { (tail + start).copyMemory(from: base, byteCount: bytes.count) }
    tailCount += bytes.count
    set(slot, bits: UInt64(start) << 32 | UInt64(bytes.count))
  }

  mutating func set(_ slot: Int, string value: String) {
    var value = value
    value.withUTF8 { set(slot, bytes: UnsafeRawBufferPointer($0)) }
  }

  mutating func set(_ slot: Int, blob bytes: UnsafeRawBufferPointer) {
    if bytes.count <= Snapshot.inlineLimit { return set(slot, bytes: bytes) }
    blobs.append(Data(bytes))
    set(slot, bits: Snapshot.blobSlot(blobs.count - 1))
  }

  mutating func set(_ slot: Int, decimal value: Decimal) {
    withUnsafeBytes(of: value) { set(slot, bytes: $0) }
  }

  private mutating func reserve(_ count: Int) {
    guard tailCount + count > tailCapacity else { return }
    let grown = max(tailCapacity * 2, tailCount + count)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 8)
    moved.copyMemory(from: tail, byteCount: tailCount)
    tail.deallocate()
    tail = moved
    tailCapacity = grown
  }
}
