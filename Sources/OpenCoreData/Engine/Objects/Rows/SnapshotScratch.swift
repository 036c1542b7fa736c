import Foundation

/// A place to put a row together before its snapshot is allocated in one piece; it is reused from row to row.
package struct SnapshotScratch: ~Copyable {
  package private(set) var nulls: UnsafeMutablePointer<UInt64>
  package private(set) var slots: UnsafeMutablePointer<UInt64>
  package private(set) var tail: UnsafeMutableRawPointer
  package private(set) var slotCount = 0
  package private(set) var tailCount = 0
  /// Whether the row has blobs, or values that could not be read.
  package private(set) var hasRarities = false
  package private(set) var blobs: [SnapshotBlob] = []
  package private(set) var unread: [(slot: Int, value: UnreadValue)] = []
  /// The names of files of external values that were missing, of all rows so far.
  package var missingFiles: [String] = []
  private var tailCapacity = 1024
  private var slotCapacity = 0

  package init(slots capacity: Int) {
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
  package mutating func begin(slots count: Int) {
    if count > slotCapacity {
      slots.deallocate()
      nulls.deallocate()
      slotCapacity = count
      slots = .allocate(capacity: count)
      nulls = .allocate(capacity: Snapshot.nullWords(count))
    }
    slotCount = count
    tailCount = 0
    if hasRarities { (hasRarities, blobs, unread) = (false, [], []) }
    for word in 0..<Snapshot.nullWords(count) { nulls[word] = ~0 }
    slots.update(repeating: 0, count: count)
  }

  @inline(__always)
  package mutating func set(_ slot: Int, bits: UInt64) {
    slots[slot] = bits
    nulls[slot >> 6] &= ~(1 << UInt64(slot & 63))
  }

  @inline(__always)
  package mutating func set(_ slot: Int, int value: Int64) { set(slot, bits: UInt64(bitPattern: value)) }

  @inline(__always)
  package mutating func set(_ slot: Int, double value: Double) { set(slot, bits: value.bitPattern) }

  package mutating func set(_ slot: Int, bytes: UnsafeRawBufferPointer) {
    let start = tailCount
    reserve(bytes.count)
    if let base = bytes.baseAddress { (tail + start).copyMemory(from: base, byteCount: bytes.count) }
    tailCount += bytes.count
    set(slot, bits: UInt64(start) << 32 | UInt64(bytes.count))
  }

  package mutating func set(_ slot: Int, string value: String) {
    // The bytes are taken without a copy of the string, which would count references.
    if value.utf8.withContiguousStorageIfAvailable({ set(slot, bytes: UnsafeRawBufferPointer($0)) }) != nil { return }
    var value = value
    value.withUTF8 { set(slot, bytes: UnsafeRawBufferPointer($0)) }
  }

  package mutating func set(_ slot: Int, blob bytes: UnsafeRawBufferPointer) {
    if bytes.count <= Snapshot.inlineLimit { return set(slot, bytes: bytes) }
    set(slot, SnapshotBlob(data: Data(bytes), cost: bytes.count))
  }

  /// Keeps a blob out of line, mapped if it is mapped; a short one is copied into the row.
  package mutating func set(_ slot: Int, _ blob: SnapshotBlob) {
    if blob.data.count <= Snapshot.inlineLimit { return blob.data.withUnsafeBytes { set(slot, bytes: $0) } }
    blobs.append(blob)
    hasRarities = true
    set(slot, bits: Snapshot.blobSlot(blobs.count - 1))
  }

  /// Notes that the value of a slot, which stays null, could not be read.
  package mutating func set(_ slot: Int, _ value: UnreadValue) {
    unread.append((slot, value))
    hasRarities = true
  }

  package mutating func set(_ slot: Int, decimal value: Decimal) {
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
