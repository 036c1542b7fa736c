import Foundation

/// Collects the bytes from which a version hash is computed: UTF-8 text, bytes, and 32-bit little-endian numbers.
package struct VersionHash {
  private var bytes = Data()

  package init() {}

  /// Adds text without length or terminator.
  package mutating func add(_ text: String?) { if let text { bytes.append(contentsOf: text.utf8) } }

  /// Adds a byte, 1 for true.
  package mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Adds a byte of value 1, or nothing.
  package mutating func addIfTrue(_ flag: Bool) { if flag { bytes.append(1) } }

  /// Adds a number as 32 bits.
  package mutating func add(_ number: Int) {
    withUnsafeBytes(of: Int32(truncatingIfNeeded: number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Adds another hash.
  package mutating func add(_ hash: Data) { bytes.append(hash) }

  /// Returns the digest of entities' names and hashes that a store's metadata contains besides the hashes.
  package static func digest(of hashes: [String: Data]) -> String {
    var digest = VersionHash()
    for (name, hash) in hashes.sorted(by: { precedesByBytes($0.key, $1.key) }) {
      digest.add(name)
      digest.add(hash)
    }
    return digest.sha512.base64EncodedString()
  }

  /// Returns the checksum of a model, in base 64, from its entities' hashes.
  package static func checksum(of hashes: [String: Data]) -> String {
    var checksum = VersionHash()
    for (_, hash) in hashes.sorted(by: { precedesByBytes($0.key, $1.key) }) { checksum.add(hash) }
    return checksum.sha256.base64EncodedString()
  }

  /// The SHA-256 hash of the added bytes.
  package var sha256: Data { SHA2.sha256(bytes) }

  /// The SHA-512 hash of the added bytes.
  package var sha512: Data { SHA2.sha512(bytes) }
}

/// Returns whether a name precedes another in the order that hashes use: by UTF-8 bytes.
package func precedesByBytes(_ first: String, _ second: String) -> Bool {
  first.utf8.lexicographicallyPrecedes(second.utf8)
}
