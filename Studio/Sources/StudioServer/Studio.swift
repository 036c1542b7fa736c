import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The settings, stores, templates and sessions that all pages share.
struct Studio: Sendable {
  let settings: StudioSettings
  let key: AccessKey
  let templates: Templates
  let assets: Assets
  let stores: OpenedStores
  let jobs: Jobs
  let writing: EditSessions

  init(_ settings: StudioSettings) throws {
    self.settings = settings
    key = AccessKey()
    templates = try Templates()
    assets = try Assets()
    stores = OpenedStores(settings.stores, models: settings.models)
    jobs = Jobs()
    writing = EditSessions(isAllowed: settings.allowsWriting)
  }

  /// Renders a whole page: a template inside the layout.
  /// - Parameters:
  ///   - template: The name of the template's file.
  ///   - content: The values that the template uses, by name.
  func page(
    _ template: String, _ title: String, _ section: Navigation.Section, status: HTTPResponse.Status = .ok,
    _ content: [String: Any]
  ) throws -> Response {
    var content = content
    content["navigation"] = navigation(title, section)
    content["token"] = formToken
    return Self.html(try templates.text(template, content), status: status)
  }

  /// Renders a part of a page, for a script that inserts it into a page.
  func fragment(_ template: String, _ content: [String: Any]) throws -> Response {
    Self.html(try templates.text(template, content))
  }

  /// The secret that each form contains. A page of another site does not know the secret, so it cannot send a form even if the
  /// browser sends the cookie with it.
  var formToken: String { key.formToken }

  static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
  }
}
