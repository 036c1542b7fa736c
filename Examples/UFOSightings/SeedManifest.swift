import Foundation
import VersionHashing

/// What stands beside a seed that is downloaded, in a file of JSON: whether the seed is newer than the one that is there, and
/// by what its download is checked.
struct SeedManifest: Codable, Equatable {
  /// The store's file, in the same folder of the server as the manifest.
  var file: String
  /// The size of the file in bytes.
  var size: Int
  /// The file's SHA-256 digest, in hexadecimal digits.
  var digest: String
  /// When the seed was made. A seed replaces one that is older.
  var made: Date

  /// Describes a seed that was just made.
  ///
  /// - Throws: The errors of reading the file.
  init(of seed: URL) throws {
    file = seed.lastPathComponent
    digest = try Self.digest(of: seed)
    size = try Self.size(of: seed)
    made = Date()
  }

  /// Reads a manifest.
  ///
  /// - Throws: A `SeedFailure` that says what the manifest has in the place of what it should have.
  init(reading data: Data, from place: String) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    do {
      self = try decoder.decode(Self.self, from: data)
    } catch {
      throw SeedFailure("\(place) is no manifest of a seed: \(error)")
    }
    // The name becomes part of an address and nothing else, but it may not lead elsewhere.
    if file.isEmpty || file.hasPrefix(".") || file.contains(where: { "/?#%\\".contains($0) }) {
      throw SeedFailure("\(place) names the file \"\(file)\"; expected was a name without a folder.")
    }
    if size < 1 { throw SeedFailure("\(place) says that the seed has \(size) bytes.") }
  }

  /// The JSON.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    encoder.dateEncodingStrategy = .secondsSince1970
    return try encoder.encode(self)
  }

  /// Checks that a file has the bytes that the manifest promises.
  ///
  /// - Throws: A `SeedFailure`, or the errors of reading the file.
  func check(_ url: URL) throws {
    let found = try Self.size(of: url)
    if found != size { throw SeedFailure("The seed has \(found) bytes; its manifest says \(size).") }
    let digest = try Self.digest(of: url)
    if digest != self.digest {
      throw SeedFailure("The seed's SHA-256 digest is \(digest); its manifest says \(self.digest).")
    }
  }

  static func size(of url: URL) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
  }

  private static func digest(of url: URL) throws -> String {
    SHA2.sha256(try Data(contentsOf: url, options: .alwaysMapped)).map { String(format: "%02x", $0) }.joined()
  }
}

/// Why a seed could not be fetched, in words.
struct SeedFailure: Error, CustomStringConvertible, LocalizedError {
  let description: String
  /// Whether another try may succeed, with what has come so far.
  let mayBeTriedAgain: Bool

  init(_ description: String, mayBeTriedAgain: Bool = false) {
    self.description = description
    self.mayBeTriedAgain = mayBeTriedAgain
  }

  var errorDescription: String? { description }
}
