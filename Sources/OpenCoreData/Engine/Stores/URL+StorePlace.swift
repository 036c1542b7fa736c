import Foundation

// The place of a store: a file, or anything else that a URL can name for stores of its kind.
extension URL {
  /// The URL of private stores, which are deleted when they are closed.
  package static let privateStore = URL(fileURLWithPath: "/dev/null")

  /// Whether this is the URL of private stores, which are deleted when they are closed.
  package var isPrivateStore: Bool { path == "/dev/null" && (isFileURL || scheme == nil) }

  /// The text by which errors, logs and recordings name the place of a store: the path of a file; of another URL its
  /// scheme, user, host, port and path. Passwords, queries and fragments are left out, because they may be secret.
  package var placeOfStore: String {
    if isFileURL { return path }
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return scheme ?? "" }
    (parts.password, parts.query, parts.fragment) = (nil, nil, nil)
    return parts.string ?? scheme ?? ""
  }
}
