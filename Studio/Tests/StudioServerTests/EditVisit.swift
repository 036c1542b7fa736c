import Foundation
import Testing

@testable import StudioServer

/// Somebody who fills in forms.
struct EditVisit: Sendable {
  static let changes = "/stores/Library.sqlite/changes"

  let visitor: Visitor
  let store: LibraryStore

  /// A studio that was started to write.
  static func visit(_ body: @escaping @Sendable (EditVisit) async throws -> Void) async throws {
    let store = try LibraryStore()
    try await Visitor.visit(.of(store.url, writes: true)) { try await body(EditVisit(visitor: $0, store: store)) }
  }

  func edit(_ title: String) throws -> String { "/stores/Library.sqlite/objects/\(try store.path(of: title))/edit" }

  /// What a browser would send of a page's form for an object, where nobody has typed anything.
  func fields(_ page: Visitor.Answer) throws -> [(String, String)] {
    let html = try #require(page.text.firstMatch(of: /(?s)<form class="edit".*?<\/form>/)).0
    var fields: [(String, String)] = []
    for match in html.matches(of: /<input ([^>]*)>/) {
      let attributes = String(match.1)
      guard let name = Self.attribute("name", attributes), !attributes.contains("type=\"file\"") else { continue }
      if attributes.contains("type=\"checkbox\""), !attributes.contains(" checked") { continue }
      fields.append((name, Self.attribute("value", attributes) ?? ""))
    }
    for match in html.matches(of: /(?s)<textarea ([^>]*)>\n(.*?)<\/textarea>/) {
      guard let name = Self.attribute("name", String(match.1)) else { continue }
      fields.append((name, Self.unescaped(String(match.2)).replacing("\n", with: "\r\n")))
    }
    for match in html.matches(of: /(?s)<select ([^>]*)>(.*?)<\/select>/) {
      guard let name = Self.attribute("name", String(match.1)) else { continue }
      let chosen = match.2.firstMatch(of: /<option value="([^"]*)" selected/).map { String($0.1) }
      fields.append((name, Self.unescaped(chosen ?? "")))
    }
    return fields
  }

  /// Opens a form, changes some of its fields, and sends it; fields whose new value is nil are left out.
  func send(_ path: String, _ changes: [String: String?], opened: Visitor.Answer? = nil) async throws -> Visitor.Answer
  {
    let page = if let opened { opened } else { try await visitor.get(path) }
    try #require(page.status == .ok || page.status == .unprocessableContent, "\(page.text)")
    var fields = try fields(page).filter { changes[$0.0] == nil }
    fields += changes.compactMap { name, value in value.map { (name, $0) } }
    return try await visitor.post(path, fields, token: nil)
  }

  /// Does something with the unsaved changes.
  func act(_ action: String, _ fields: [(String, String)] = []) async throws -> Visitor.Answer {
    let page = try await visitor.get("/stores/Library.sqlite/entities/Book/new")
    return try await visitor.post(Self.changes + "/" + action, fields, token: visitor.token(of: page))
  }

  private static func attribute(_ name: String, _ text: String) -> String? {
    guard let start = text.range(of: "\(name)=\""), let end = text[start.upperBound...].firstIndex(of: "\"") else {
      return nil
    }
    return unescaped(String(text[start.upperBound..<end]))
  }

  static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}
