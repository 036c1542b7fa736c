#if PostgreSQL
  /// Bytes to which numbers can be added quickly. Copies share their memory until one of them is added to.
  ///
  /// `[UInt8]` would copy each number by a function call, which takes several times as long as the copy.
  struct ServerBytes: @unchecked Sendable {  // who writes has the memory alone
    /// Memory for a number of bytes. Only an owner that has the sole reference writes to it.
    ///
    /// The header holds the capacity, because asking the allocator for it at each append would take longer.
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

    /// Makes room for more bytes.
    mutating func reserve(_ more: Int) {
      if let storage, count + more <= storage.size { return }
      move(to: more)
    }

    /// Adds bytes without initializing them; the caller must initialize them at once.
    @inline(__always)
    mutating func grow(by more: Int) -> UnsafeMutableRawPointer {
      if !isKnownUniquelyReferenced(&storage) || count + more > storage.unsafelyUnwrapped.size { move(to: more) }
      // `move` has made memory that has room.
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

    /// Sets a number that was added before.
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

    /// Moves the bytes to memory of their own, with room for more.
    @inline(never)
    private mutating func move(to more: Int) {
      // The new memory is at least twice as large, so that not every append copies everything.
      let needed = count + more, old = storage?.size ?? 0
      let next = Storage.make(needed > old ? max(needed, 2 * old, 224) : old)
      if let storage { next.start.copyMemory(from: storage.start, byteCount: count) }
      storage = next
    }
  }
#endif
