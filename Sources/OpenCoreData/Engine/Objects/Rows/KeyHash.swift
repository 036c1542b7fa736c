/// Places of primary keys in tables with open addressing. A table may have any size, so that it need not double when it
/// grows.
package enum KeyHash {
  /// The 31 bits of a hash that a table keeps in place of a key. The place in a table of any size follows from them, and
  /// keys in sequence are spread evenly.
  @inline(__always)
  package static func tag(_ key: Int64) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 33)
  }

  /// The place where the search for a key with that tag begins.
  @inline(__always)
  package static func place(tag: UInt32, _ capacity: Int) -> Int { Int((UInt64(tag) &* UInt64(capacity)) >> 31) }

  /// The place after `place`; the last place is followed by the first.
  @inline(__always)
  package static func next(_ place: Int, _ capacity: Int) -> Int { place + 1 == capacity ? 0 : place + 1 }

  /// The number of steps from one place to another.
  @inline(__always)
  package static func distance(_ start: Int, _ end: Int, _ capacity: Int) -> Int {
    end >= start ? end - start : end - start + capacity
  }

  /// The capacity for a number of keys, of which at most 4 in 5 places are taken.
  package static func capacity(_ count: Int) -> Int { count * 5 / 4 + 1 }

  /// Whether a table of that capacity is too small for a number of keys.
  @inline(__always)
  package static func isFull(_ count: Int, _ capacity: Int) -> Bool { count * 5 > capacity * 4 }

  /// The capacity that a full table gets. A large table does not double: half of it might stay empty.
  package static func grown(_ capacity: Int) -> Int { capacity < 1 << 16 ? capacity * 2 : capacity + capacity / 2 }
}
