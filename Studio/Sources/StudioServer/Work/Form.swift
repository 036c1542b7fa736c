import Foundation
import Hummingbird
import NIOCore

/// The values of a form, after the check that a page of this studio sent it.
struct Form: Sendable {
  private static let limit = 16 << 20

  private let values: [String: [String]]
  private let files: [String: Data]

  /// - Throws: a `StudioError` if the form lacks the token that the studio's own forms have.
  init(_ request: Request, _ context: some RequestContext, _ studio: Studio) async throws {
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: Self.limit)
    } catch is NIOTooManyBytesError {
      throw StudioError(
        .contentTooLarge, "The form is too large", "Forms, with their files, may have \(Self.limit >> 20) MB.")
    }
    var values: [String: [String]] = [:]
    var files: [String: Data] = [:]
    let type = request.headers[.contentType] ?? ""
    let isMultipart = type.hasPrefix("multipart/form-data")
    for part in isMultipart ? try MultipartBody(Data(body.readableBytesView), contentType: type).parts : [] {
      if part.fileName == nil {
        values[part.name, default: []].append(String(decoding: part.content, as: UTF8.self))
      } else if part.fileName != "" {
        files[part.name] = part.content
      }
    }
    for pair in isMultipart ? [] : String(buffer: body).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.map { ($0.replacing("+", with: " ")).removingPercentEncoding ?? "" }
      values[texts[0], default: []].append(texts.count > 1 ? texts[1] : "")
    }
    (self.values, self.files) = (values, files)
    guard let token = values["token"]?.first, studio.key.matches(token: token) else {
      throw StudioError(
        .forbidden, "The form is not of this studio", "Open the page again and send the form from there.")
    }
  }

  /// The value of a field; nil if the field was not sent.
  subscript(name: String) -> String? { values[name]?.first }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns the bytes of a file that was chosen; nil if none was.
  func file(_ name: String) -> Data? { files[name] }

  var names: [String] { values.keys.sorted() }
}
