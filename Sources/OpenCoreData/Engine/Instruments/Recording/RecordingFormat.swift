import CZlib
import Foundation

/// The layout of a recording: what the recorder writes and `Recording` reads.
///
/// A file begins with `magic` and the version as four bytes. Pieces follow, each with the length and the CRC-32 of its
/// contents before them, four bytes each. All these numbers are little-endian. A piece that is incomplete is where a killed
/// program stopped. A piece has one event after the other: a byte for the kind of event, and then numbers, seven bits to a
/// byte. Names, statements, stacks and entities are numbered from 1 in their order, over all pieces; 0 is none. Times are
/// ticks of a clock. `Event.clock`, with which each piece begins, relates the ticks to the time of day. Every other time is
/// the difference from the previous one in its piece.
enum RecordingFormat {
  static let magic = Array("OCDINSTR".utf8)
  static let version: UInt32 = 1

  enum Event: UInt8 {
    /// The program: process ID and path.
    case program = 1
    /// Ticks and nanoseconds since 1970, both in full.
    case clock
    /// The bytes of a name: of an entity, of a relationship with its entity, a key path, or the shape of a predicate with the
    /// sort descriptors (`RecordedSort`).
    case name
    /// The bytes of a statement.
    case statement
    /// Return addresses, innermost first: their number, and then each as the difference from the one before.
    case stack
    /// A loaded image: first and last address, load address, size and time of change of the file, path.
    case image
    /// An address and the mangled name of the function that it is in.
    case symbol
    /// A `RecordedActivity`.
    case activity
    /// A statement that ran: start, duration, statement, rows, thread.
    case execution
    /// The faults of a fetch: the fetch's number, the number of faults, and how many of them fired.
    case touches
    /// `CoreDataInstruments.Memory`, at the beginning of a piece.
    case memory
    /// `CoreDataInstruments.Counters`.
    case counters
    /// A statement's number, the file of the store that it first ran on, and SQLite's plan, a line for each step.
    case plan
    /// The reason for the end of the recording: 0 it was stopped, 1 the program ended, 2 it became too long.
    case end
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes.bindMemory(to: UInt8.self).baseAddress, uInt(bytes.count)))
  }

  @inline(__always)
  static func zigzag(_ value: Int) -> UInt { UInt(bitPattern: value << 1 ^ value >> 63) }

  static func unzigzag(_ value: UInt) -> Int { Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1) }
}

/// The bytes of a piece that is being put together.
struct RecordingBuffer: ~Copyable {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity)
  }

  deinit { bytes.deallocate() }

  var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

  mutating func removeAll() { count = 0 }

  /// Makes room for an event of a fixed number of numbers.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let size = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    larger.update(from: bytes, count: count)
    bytes.deallocate()
    (bytes, capacity) = (larger, size)
  }

  /// Requires room for one byte.
  @inline(__always)
  mutating func put(_ event: RecordingFormat.Event) {
    bytes[count] = event.rawValue
    count += 1
  }

  /// Requires room for ten bytes.
  @inline(__always)
  mutating func put(_ value: UInt) {
    var rest = value
    while rest >= 0x80 {
      bytes[count] = UInt8(truncatingIfNeeded: rest) | 0x80
      count += 1
      rest >>= 7
    }
    bytes[count] = UInt8(truncatingIfNeeded: rest)
    count += 1
  }

  @inline(__always)
  mutating func put(_ value: Int) { put(UInt(bitPattern: value)) }

  mutating func put(text: String) {
    var text = text
    text.withUTF8 { utf8 in
      reserve(utf8.count + 10)
      put(utf8.count)
      if let start = utf8.baseAddress { (bytes + count).update(from: start, count: utf8.count) }
      count += utf8.count
    }
  }
}
