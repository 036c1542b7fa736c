import Foundation

/// Collects the bytes that a version hash is made of: UTF-8 text, bytes, and 32-bit numbers in little endian.
struct VersionHash {
  private var bytes = Data()

  /// Adds text without length or terminator.
  mutating func add(_ text: String?) { if let text { bytes.append(contentsOf: text.utf8) } }

  /// Adds a byte, 1 for true.
  mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Adds a byte of value 1, or nothing.
  mutating func addIfTrue(_ flag: Bool) { if flag { bytes.append(1) } }

  /// Adds a number as 32 bits.
  mutating func add(_ number: Int) {
    withUnsafeBytes(of: Int32(truncatingIfNeeded: number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Adds another hash.
  mutating func add(_ hash: Data) { bytes.append(hash) }

  /// The digest of entities' names and hashes that a store's metadata state beside these.
  static func digest(of hashes: [String: Data]) -> String {
    var digest = VersionHash()
    for (name, hash) in hashes.sorted(by: { precedesByBytes($0.key, $1.key) }) {
      digest.add(name)
      digest.add(hash)
    }
    return digest.sha512.base64EncodedString()
  }

  /// The hash of what was added.
  var sha256: Data { SHA2.sha256(bytes) }

  /// The longer hash of what was added.
  var sha512: Data { SHA2.sha512(bytes) }
}

/// The order that hashes use for names: by their UTF-8 bytes.
func precedesByBytes(_ first: String, _ second: String) -> Bool { first.utf8.lexicographicallyPrecedes(second.utf8) }
