import Foundation

/// Addresses of pages. Names in stores may contain any character, so each part is escaped by itself.
enum Link {
  static func path(_ parts: String...) -> String { "/" + parts.map(escaped).joined(separator: "/") }

  static func store(_ name: String) -> String { path("stores", name) }

  static func entity(_ store: String, _ entity: String) -> String { path("stores", store, "entities", entity) }

  /// - Parameter reference: A text such as `Person/p1`.
  static func object(_ store: String, _ reference: String) -> String {
    let parts = reference.split(separator: "/").map(String.init)
    return path("stores", store, "objects", parts.first ?? "", parts.last ?? "")
  }

  /// Returns a path with a query string; parameters without a value are left out.
  static func query(_ path: String, _ parameters: [(name: String, value: String?)]) -> String {
    let parts = parameters.compactMap { name, value in value.map { "\(escaped(name))=\(escaped($0))" } }
    return parts.isEmpty ? path : path + "?" + parts.joined(separator: "&")
  }

  static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// The characters that RFC 3986 calls unreserved: they need no escaping in any part of a URL.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
