import Foundation
import OpenCoreData

/// The hashes of a model, in the shape of the JSON.
public struct ModelHashReport: Encodable, Sendable {
  /// The hash of an entity.
  public struct Entity: Encodable, Sendable {
    /// The entity.
    public var name: String
    /// The hash in hexadecimal digits.
    public var hex: String
    /// The hash in base 64.
    public var base64: String
  }

  /// The file's path.
  public var file: String
  /// The entities, sorted by name.
  public var entities: [Entity]
  /// NSStoreModelVersionChecksumKey, as in VersionInfo.plist; nil in old stores.
  public var checksum: String?
  /// NSStoreModelVersionHashesDigest; nil in old stores.
  public var digest: String?

  package init(_ path: String) throws {
    let url = ModelInput.url(path)
    file = url.path
    let hashes: [String: Data]
    if ModelInput.isStore(url) {
      // The metadata are enough: old stores have no copy of the model.
      let store = try ModelInput.store(url)
      hashes = store.hashes
      checksum = store.metadata["NSStoreModelVersionChecksumKey"] as? String
      digest = store.metadata["NSStoreModelVersionHashesDigest"] as? String
    } else {
      let model = try ModelInput(path).model
      hashes = model.entityVersionHashesByName
      checksum = model.versionChecksum
      digest = model.versionHashesDigest
    }
    entities = hashes.sorted { $0.key < $1.key }.map { name, hash in
      Entity(
        name: name, hex: hash.map { String(format: "%02x", $0) }.joined(), base64: hash.base64EncodedString())
    }
  }
}
