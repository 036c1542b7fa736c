import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Styles and scripts. Their addresses contain a digest of all contents, so that a browser can cache a file and never shows an
/// old one.
struct Assets: Sendable {
  private let files: [String: (content: Data, type: String)]
  /// The digest, which changes with any of the files.
  let version: String

  init() throws {
    let folder = Templates.resources.appendingPathComponent("assets")
    let types = ["css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"]
    var files: [String: (Data, String)] = [:]
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      guard let type = types[URL(fileURLWithPath: name).pathExtension] else { continue }
      let content = try Data(contentsOf: folder.appendingPathComponent(name))
      files[name] = (content, type)
      // The hash is FNV-1a, which is enough to tell versions of the files apart; it protects no secret.
      for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    self.files = files
    version = String(hash, radix: 36)
  }

  func response(_ name: String) throws -> Response {
    guard let file = files[name] else { throw StudioError.notFound("There is no file “\(name)”.") }
    return Response(
      status: .ok,
      headers: [.contentType: file.type, .cacheControl: "private, max-age=31536000, immutable"],
      body: .init(byteBuffer: ByteBuffer(bytes: file.content)))
  }
}
