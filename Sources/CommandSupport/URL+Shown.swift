import Foundation

extension URL {
  /// The place as people read it: a path, or a URL without passwords. Of a web service's URL, the user and the query are left
  /// out too, since either may be a key.
  public var shown: String {
    if isFileURL { return path }
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return scheme ?? "" }
    parts.password = nil
    if ["http", "https"].contains(scheme?.lowercased()) {
      (parts.user, parts.query, parts.fragment) = (nil, nil, nil)
    }
    parts.queryItems = parts.queryItems?.filter { !["password", "sslpassword"].contains($0.name) }
    return parts.string ?? scheme ?? ""
  }
}
