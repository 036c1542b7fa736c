import ArgumentParser
import CommandSupport
import Foundation
import OpenCoreData

/// `coredata model hashes`: by what stores tell models apart.
struct ModelHashes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hashes", abstract: "Prints the version hash of each entity, and the model's digest and checksum.",
    discussion: """
      They are those of VersionInfo.plist in a .momd and of Z_METADATA in a store. Of a store what its metadata state \
      is printed.
      """)

  @Argument(help: "The model, or a store.")
  var file: String

  @Flag(help: "Print hashes in base 64, not in hexadecimal digits.")
  var base64 = false

  @Flag(help: "Print JSON, with both.")
  var json = false

  func run() throws {
    let report = try ModelHashReport(file)
    if json { return print(try JSONEncoder.tool.text(of: report)) }
    var table = TextTable(columns: [.init("Entity"), .init("Version hash")])
    table.rows = report.entities.map { [$0.name, base64 ? $0.base64 : $0.hex] }
    print(table.text)
    print("")
    if let checksum = report.checksum { print("Checksum  \(checksum)") }
    if let digest = report.digest { print("Digest    \(digest)") }
  }
}

/// The hashes of a model, in the shape of the JSON.
struct ModelHashReport: Encodable {
  struct Entity: Encodable {
    var name: String
    var hex: String
    var base64: String
  }

  var file: String
  var entities: [Entity]
  /// NSStoreModelVersionChecksumKey, as in VersionInfo.plist; nil in old stores.
  var checksum: String?
  /// NSStoreModelVersionHashesDigest; nil in old stores.
  var digest: String?

  init(_ path: String) throws {
    let url = ModelInput.url(path)
    file = url.path
    let hashes: [String: Data]
    if ModelInput.isStore(url) {
      // Metadata suffice: old stores have no copy of the model.
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
