import Foundation

extension SHA2 {
  /// The SHA-256 digest, 32 bytes.
  package static func sha256(_ message: Data) -> Data {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    let padded = padded(message, blockSize: 64)
    padded.withUnsafeBytes { bytes in
      var schedule = [UInt32](repeating: 0, count: constants256.count)
      for block in stride(from: 0, to: bytes.count, by: 64) {
        for i in 0..<16 {
          schedule[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: block + i * 4, as: UInt32.self))
        }
        for i in 16..<schedule.count {
          let (low, high) = (schedule[i - 15], schedule[i - 2])
          let first = rotate(low, 7) ^ rotate(low, 18) ^ (low &>> 3)
          let second = rotate(high, 17) ^ rotate(high, 19) ^ (high &>> 10)
          schedule[i] = schedule[i - 16] &+ first &+ schedule[i - 7] &+ second
        }
        compress(schedule, &state)
      }
    }
    // Foundation's Data takes some hundred instructions for every append.
    var digest: [UInt8] = []
    digest.reserveCapacity(4 * state.count)
    for word in state { withUnsafeBytes(of: word.bigEndian) { digest.append(contentsOf: $0) } }
    return Data(digest)
  }

  private static func compress(_ schedule: [UInt32], _ state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for i in 0..<schedule.count {
      let mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let first = h &+ mixedE &+ ((e & f) ^ (~e & g)) &+ constants256[i] &+ schedule[i]
      let mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let second = mixedA &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  private static func rotate(_ word: UInt32, _ distance: UInt32) -> UInt32 {
    (word &>> distance) | (word &<< (32 - distance))
  }

  /// The upper halves of the first 64 constants of SHA-512.
  private static let constants256 = constants512.prefix(64).map { UInt32(truncatingIfNeeded: $0 &>> 32) }
}
