import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import StudioServer

/// Somebody with a browser: has the key, and keeps the cookie.
struct Visitor: Sendable {
  private let client: any TestClientProtocol
  private let cookie: String

  /// Starts a studio, and lets somebody in.
  static func visit(
    _ settings: StudioSettings, _ body: @escaping @Sendable (Visitor) async throws -> Void
  ) async throws {
    let application = try StudioApplication(settings)
    try await application.server().test(.live) { client in
      let address = try #require(URLComponents(string: application.address(port: 1)))
      let answer = try await client.execute(uri: "/enter?\(address.percentEncodedQuery ?? "")", method: .get)
      let cookie = try #require(answer.headers[.setCookie]?.split(separator: ";").first)
      try await body(Visitor(client: client, cookie: String(cookie)))
    }
  }

  struct Answer {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let text: String
  }

  func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> Answer {
    try await send(path, .get, headers, nil)
  }

  /// Sends a form of a page, with the token that the page has.
  func post(_ path: String, _ fields: [(String, String)], token: String?) async throws -> Answer {
    let all = fields + (token.map { [("token", $0)] } ?? [])
    let body = all.map { "\(Link.escaped($0.0))=\(Link.escaped($0.1))" }.joined(separator: "&")
    return try await send(path, .post, [.contentType: "application/x-www-form-urlencoded"], body)
  }

  /// Sends a form with a file, as browsers do.
  func upload(_ path: String, _ fields: [(String, String)], file: (name: String, content: Data)) async throws -> Answer
  {
    let boundary = "----boundary\(UUID().uuidString)"
    var body = Data()
    for (name, value) in fields {
      body += Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
    }
    body += Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(file.name)\"; filename=\"a.bin\"\r\n".utf8)
    body += Data("Content-Type: application/octet-stream\r\n\r\n".utf8) + file.content
    body += Data("\r\n--\(boundary)--\r\n".utf8)
    let answer = try await client.execute(
      uri: path, method: .post,
      headers: [.cookie: cookie, .contentType: "multipart/form-data; boundary=\(boundary)"],
      body: ByteBuffer(bytes: body))
    return Answer(status: answer.status, headers: answer.headers, text: String(buffer: answer.body))
  }

  private func send(
    _ path: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: String?
  ) async throws -> Answer {
    var headers = headers
    headers[.cookie] = cookie
    let answer = try await client.execute(
      uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    return Answer(status: answer.status, headers: answer.headers, text: String(buffer: answer.body))
  }

  /// The token of a page's forms.
  func token(of page: Answer) throws -> String {
    try String(#require(page.text.firstMatch(of: /name="token" value="([^"]+)"/)).1)
  }

  /// Waits for a job, whose page an answer leads to, and gives that page.
  func result(of answer: Answer) async throws -> Answer {
    let path = try #require(answer.headers[.location])
    while true {
      let page = try await get(path)
      if !page.text.contains("data-events") { return page }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

extension StudioSettings {
  /// Settings for a store, with runs in its folder's place.
  static func of(_ stores: URL..., writes: Bool = false) -> StudioSettings {
    var settings = StudioSettings(
      runs: FileManager.default.temporaryDirectory.appendingPathComponent("studio-runs-\(UUID().uuidString)"))
    settings.stores = stores
    settings.allowsWriting = writes
    return settings
  }
}
