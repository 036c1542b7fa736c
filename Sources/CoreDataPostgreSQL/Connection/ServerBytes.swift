#if PostgreSQL
  /// A buffer of bytes to which numbers are added quickly; copies share the memory until one of them adds bytes.
  ///
  /// `[UInt8]` would append through a call for each number, which costs several times as much as adding the number
  /// does.
  struct ServerBytes: @unchecked Sendable {  // only a value that owns its memory alone writes to it
    /// Memory with a fixed number of bytes. Only a `ServerBytes` that owns the memory alone writes to it.
    ///
    /// The header stores the number of bytes: the capacity that the allocator really gives would have to be asked for.
    private final class Storage: ManagedBuffer<Int, UInt8> {
      static func make(_ capacity: Int) -> Storage {
        unsafeDowncast(create(minimumCapacity: capacity) { _ in capacity }, to: Storage.self)
      }

      @inline(__always)
      var start: UnsafeMutableRawPointer { withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) } }

      @inline(__always)
      var size: Int { withUnsafeMutablePointerToHeader { $0.pointee } }
    }

    private var storage: Storage?
    private(set) var count = 0

    /// Makes room for a number of further bytes.
    mutating func reserve(_ more: Int) {
      if let storage, count + more <= storage.size { return }
      move(to: more)
    }

    /// Adds bytes; the caller sets them at once.
    @inline(__always)
    mutating func grow(by more: Int) -> UnsafeMutableRawPointer {
      if !isKnownUniquelyReferenced(&storage) || count + more > storage.unsafelyUnwrapped.size { move(to: more) }
      // `move` has left a storage with enough room.
      let place = storage.unsafelyUnwrapped.start + count
      count += more
      return place
    }

    /// Adds a number in network byte order.
    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
      grow(by: MemoryLayout<Number>.size).storeBytes(of: number.bigEndian, as: Number.self)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
      guard let start = bytes.baseAddress, bytes.count > 0 else { return }
      grow(by: bytes.count).copyMemory(from: start, byteCount: bytes.count)
    }

    /// Overwrites a number that was added before.
    mutating func put(_ number: UInt32, at offset: Int) {
      precondition(offset + 4 <= count, "there are no such bytes")
      if !isKnownUniquelyReferenced(&storage) { move(to: 0) }
      (storage.unsafelyUnwrapped.start + offset).storeBytes(of: number.bigEndian, as: UInt32.self)  // as in `grow`
    }

    mutating func removeLast(_ less: Int) { count = max(0, count - less) }

    @inline(__always)
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
      try withExtendedLifetime(storage) {
        try body(UnsafeRawBufferPointer(start: storage.map { UnsafeRawPointer($0.start) }, count: count))
      }
    }

    /// Moves the bytes into memory that only this value owns, with room for further bytes.
    @inline(never)
    private mutating func move(to more: Int) {
      // The size at least doubles, so that adding does not copy everything each time.
      let needed = count + more, old = storage?.size ?? 0
      let next = Storage.make(needed > old ? max(needed, 2 * old, 224) : old)
      if let storage { next.start.copyMemory(from: storage.start, byteCount: count) }
      storage = next
    }
  }
#endif
