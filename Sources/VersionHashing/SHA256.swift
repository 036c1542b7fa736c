import Foundation

extension SHA2 {
  /// The SHA-256 digest, 32 bytes.
  package static func sha256(_ message: Data) -> Data {
    // Each word of the state is a variable of its own, and the schedule is on the stack, because hashing is frequent: a
    // model of 100 entities has 2,000 blocks.
    var state = State()
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      message.withUnsafeBytes { bytes in
        let whole = bytes.count & ~63
        for block in stride(from: 0, to: whole, by: 64) { state.take(bytes, block, schedule) }
        withLastBlocks(bytes, from: whole) { last in
          for block in stride(from: 0, to: last.count, by: 64) { state.take(last, block, schedule) }
        }
      }
    }
    return state.digest
  }

  /// Calls `body` with the bytes after the last whole block, a one bit, zeros, and the number of the message's bits.
  private static func withLastBlocks(
    _ bytes: UnsafeRawBufferPointer, from start: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let rest = bytes.count - start
    let size = rest < 56 ? 64 : 128
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { last in
      last.initializeMemory(as: UInt8.self, repeating: 0)
      last.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start...]))
      last[rest] = 0x80
      last.storeBytes(of: UInt64(bytes.count * 8).bigEndian, toByteOffset: size - 8, as: UInt64.self)
      body(UnsafeRawBufferPointer(last))
    }
  }

  private struct State {
    private var a: UInt32 = 0x6a09_e667
    private var b: UInt32 = 0xbb67_ae85
    private var c: UInt32 = 0x3c6e_f372
    private var d: UInt32 = 0xa54f_f53a
    private var e: UInt32 = 0x510e_527f
    private var f: UInt32 = 0x9b05_688c
    private var g: UInt32 = 0x1f83_d9ab
    private var h: UInt32 = 0x5be0_cd19

    /// Hashes the block at an offset.
    mutating func take(
      _ bytes: UnsafeRawBufferPointer, _ block: Int, _ schedule: UnsafeMutableBufferPointer<UInt32>
    ) {
      for i in 0..<16 {
        schedule[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: block + i * 4, as: UInt32.self))
      }
      for i in 16..<64 {
        let (low, high) = (schedule[i - 15], schedule[i - 2])
        let first = SHA2.rotate(low, 7) ^ SHA2.rotate(low, 18) ^ (low &>> 3)
        let second = SHA2.rotate(high, 17) ^ SHA2.rotate(high, 19) ^ (high &>> 10)
        schedule[i] = schedule[i - 16] &+ first &+ schedule[i - 7] &+ second
      }
      SHA2.constants256.withUnsafeBufferPointer { mix(schedule, $0) }
    }

    private mutating func mix(
      _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
      let old = self
      for i in 0..<64 {
        let mixedE = SHA2.rotate(e, 6) ^ SHA2.rotate(e, 11) ^ SHA2.rotate(e, 25)
        let first = h &+ mixedE &+ ((e & f) ^ (~e & g)) &+ constants[i] &+ schedule[i]
        let mixedA = SHA2.rotate(a, 2) ^ SHA2.rotate(a, 13) ^ SHA2.rotate(a, 22)
        let second = mixedA &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ second)
      }
      a &+= old.a
      b &+= old.b
      c &+= old.c
      d &+= old.d
      e &+= old.e
      f &+= old.f
      g &+= old.g
      h &+= old.h
    }

    var digest: Data {
      withUnsafeBytes(
        of: (
          a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian, f.bigEndian, g.bigEndian, h.bigEndian
        )
      ) { Data($0) }
    }
  }

  fileprivate static func rotate(_ word: UInt32, _ distance: UInt32) -> UInt32 {
    (word &>> distance) | (word &<< (32 - distance))
  }

  /// The upper halves of the first 64 constants of SHA-512.
  fileprivate static let constants256 = constants512.prefix(64).map { UInt32(truncatingIfNeeded: $0 &>> 32) }
}
