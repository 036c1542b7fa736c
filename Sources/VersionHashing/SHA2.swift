import Foundation

/// SHA-256 and SHA-512 (FIPS 180-4), for version hashes. Not meant for secrets: nothing here is constant-time.
///
/// The two functions differ only in word size and constants, but are written out separately: one generic function was
/// six times slower in a debug build, where every test that opens a store computes hashes.
package enum SHA2 {
  /// Returns the message, a one bit, zeros, and the length in bits as a big-endian number of an eighth of a block.
  static func padded(_ message: Data, blockSize: Int) -> [UInt8] {
    var padded = [UInt8](message)
    padded.append(0x80)
    let used = (padded.count + blockSize / 8) % blockSize
    padded.append(contentsOf: repeatElement(0, count: (used == 0 ? 0 : blockSize - used) + blockSize / 8 - 8))
    withUnsafeBytes(of: UInt64(message.count * 8).bigEndian) { padded.append(contentsOf: $0) }
    return padded
  }
}
